/** Where the packages of package-lock.json come from, and which of them may run scripts. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  link?: boolean;
  inBundle?: boolean;
  resolved?: string;
  integrity?: string;
  hasInstallScript?: boolean;
}

const read = (name: string) =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, '..', name), 'utf8'));
const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };
const { packages } = read('package-lock.json') as { packages: Record<string, LockedPackage> };
const fetched = Object.entries(packages)
  .filter(([path, one]) => path.startsWith('node_modules/') && !one.link && !one.inBundle)
  .map(([path, one]) => ({ ...one, name: path.replace(/^.*node_modules\//, '') }));
const namesOf = (some: typeof fetched): string[] => some.map(({ name }) => name);

describe('the packages of the lock file', () => {
  it('are many, and each has a strong hash', () => {
    expect(fetched.length).toBeGreaterThan(50);
    const isStrong = /^sha512-/;
    const weak = fetched.filter(({ integrity = '' }) => !isStrong.test(integrity));
    expect(namesOf(weak)).toEqual([]);
  });

  // The lock file names no registry, so a package that names a source is not from there.
  it('come from the registry', () => {
    expect(namesOf(fetched.filter(({ resolved }) => resolved !== undefined))).toEqual([]);
  });

  it('run no script but those that package.json allows or forbids by name', () => {
    const scripted = namesOf(fetched.filter(({ hasInstallScript }) => hasInstallScript));
    expect(scripted.length).toBeGreaterThan(0);
    expect(scripted.filter((name) => !(name in allowScripts))).toEqual([]);
  });
});
