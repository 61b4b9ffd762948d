/** scripts/README.md has every measurement, its options and the rows of the benchmark. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rowTable } from '../../scripts/bench/rows.ts';

const top = resolve(import.meta.dirname, '../..');
const scripts = join(top, 'scripts');
const readme = readFileSync(join(scripts, 'README.md'), 'utf8');

function sectionOf(heading: string): string {
  const start = readme.indexOf(`\n## ${heading}\n`);
  expect(start, heading).toBeGreaterThan(0);
  const end = readme.indexOf('\n## ', start + 1);
  return readme.slice(start, end === -1 ? undefined : end);
}

describe('scripts/README.md', () => {
  it.each(readdirSync(scripts).filter((name) => /\.(mjs|py)$/.test(name)))('has %s', (name) => {
    const command = `npm run ${name.replace(/\.mjs$/, '').replace('evaluate-', 'evaluate:')}`;
    expect([name, command].some((text) => readme.includes(text))).toBe(true);
  });

  it.each([
    ['Benchmark', 'bench/options.ts'],
    ['Accounts', 'bench-accounts/options.ts'],
    ['Soak', 'soak/options.ts'],
    ['Lanes', 'lanes/main.ts'],
    ['Large files', 'large/main.ts'],
  ])('has every option of the section %s', (heading, file) => {
    const source = readFileSync(join(scripts, file), 'utf8');
    const options = [...source.matchAll(/\.option\(\s*'(--[\w-]+)/g)].map(([, name]) => name);
    expect(options.length).toBeGreaterThan(1);
    for (const option of options) expect(sectionOf(heading)).toContain(option);
  });

  it('has every row of the benchmark that it shows', () => {
    const shown = Object.values(rowTable).filter(({ label }) => readme.includes(label));
    expect(shown.length).toBeGreaterThanOrEqual(Object.keys(rowTable).length - 2);
  });
});
