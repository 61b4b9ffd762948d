/** The real single file with its Debian package, packed fast, and made once for all files of tests. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { inject, vi } from 'vitest';

/** On a busy machine. */
const MAKING_MS_MAX = 500_000;
const script = resolve(import.meta.dirname, '../../../scripts/packaging/package.mjs');

/** Returns the folder in which `npm run package` has put its files, and which goes with the run of vitest. */
export async function packagedFolder(): Promise<string> {
  const folder = join(dirname(inject('sampleIndex')), 'packaged');
  const made = join(folder, 'made');
  try {
    mkdirSync(folder);
  } catch {
    // Another file of tests makes it now, or has made it.
    await vi.waitUntil(() => existsSync(made), { timeout: MAKING_MS_MAX, interval: 200 });
    return folder;
  }
  const options = ['--arch', 'x64', '--quick', '--debian', '--out', folder];
  execFileSync(process.execPath, [script, ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(made, '');
  return folder;
}
