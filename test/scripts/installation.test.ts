/** Which Node is supported, and what the lock file must say for `npm ci`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SUPPORTED_NODE } from '../../src/commands/doctor/check-versions.ts';

const top = join(import.meta.dirname, '../..');

interface Lock {
  packages: Record<string, { gypfile?: boolean; link?: boolean; resolved?: string }>;
}

const lock = JSON.parse(readFileSync(join(top, 'package-lock.json'), 'utf8')) as Lock;

describe('package.json', () => {
  it('allows each Node that the doctor calls tested', () => {
    const { engines } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
    const ranges = Object.entries(SUPPORTED_NODE).map(([major, minor]) =>
      minor === 0 ? `^${major}` : `^${major}.${minor}`,
    );
    expect(engines.node).toBe(ranges.join(' || '));
  });
});

describe('package-lock.json', () => {
  // `npm install` removes the field. Add `"gypfile": false` to the entry again by hand.
  it('keeps npm from compiling better-sqlite3 13', () => {
    expect(lock.packages['node_modules/better-sqlite3-13']?.gypfile).toBe(false);
  });

  it.each([
    ['github-from-package', 'scripts/skip-sqlite-build'],
    ['global-agent', 'scripts/skip-gpu-download'],
  ])('takes %s from %s', (name, folder) => {
    expect(lock.packages[`node_modules/${name}`]).toEqual({ resolved: folder, link: true });
  });
});
