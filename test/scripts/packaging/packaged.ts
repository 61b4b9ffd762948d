/** The real single file with its Debian package, packed fast, and made once for all files of tests. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, inject } from 'vitest';

const script = resolve(import.meta.dirname, '../../../scripts/packaging/package.mjs');

/** Returns the folder in which `npm run package` has put its files, and which goes with the run of vitest. */
export async function packagedFolder(): Promise<string> {
  const folder = join(dirname(inject('sampleIndex')), 'packaged');
  const made = join(folder, 'made');
  try {
    mkdirSync(folder);
  } catch {
    // Another file of tests makes it now, or has made it.
    await expect.poll(() => existsSync(made)).toBe(true);
    return folder;
  }
  const options = ['--arch', 'x64', '--quick', '--debian', '--out', folder];
  execFileSync(process.execPath, [script, ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(made, '');
  return folder;
}
