/**
 * A single file with small parts, made as the real one is: its Node is a shell script that says what
 * it was asked to do.
 */
import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assembleFile, compileUnpacker } from '../../../scripts/packaging/assemble.mjs';

/** Waits while its standard input is open if the first argument is "wait". */
const NODE = `#!/bin/sh
[ "$1" = --version ] && echo v24 && exit
shift
echo "ran $* as $VERBATIM_PROGRAM"
[ "$1" = wait ] && cat >/dev/null
exit 0
`;

export interface SmallFile {
  path: string;
  /** Where the folder with the parts comes to lie below a cache folder. */
  partsIn(cache: string): string;
}

export const folder = mkdtempSync(join(tmpdir(), 'verbatim-file-'));

export function removeFolder(): void {
  execFile('chmod', ['-R', 'u+rwX', folder], () =>
    rmSync(folder, { recursive: true, force: true }),
  );
}

/** Makes a file. Each version has other parts. `megabytes` of them cannot be packed. */
export function makeSmallFile(version: string, { megabytes = 0 } = {}): SmallFile {
  const work = mkdtempSync(join(folder, 'work-'));
  const unxz = compileUnpacker('x64', work);
  const parts = join(work, 'parts');
  mkdirSync(join(parts, 'bin'), { recursive: true });
  mkdirSync(join(parts, 'app'));
  writeFileSync(join(parts, 'bin/node'), NODE);
  chmodSync(join(parts, 'bin/node'), 0o755);
  writeFileSync(join(parts, 'app/verbatim.js'), `// ${version}\n`);
  writeFileSync(join(parts, 'app/bulk'), Buffer.alloc(megabytes * 1e6, version));
  const path = join(work, 'verbatim');
  const options = { arch: 'x64', seconds: 0, preset: 0, version } as const;
  const id = assembleFile({ ...options, parts, unxz, file: path, work });
  return { path, partsIn: (cache) => join(cache, `v-${id}`) };
}

/** Starts a file that runs until `end` is called. Resolves when the program runs. */
export async function startFile(path: string, cache: string): Promise<{ end(): Promise<number> }> {
  const env = { PATH: '/usr/bin:/bin', VERBATIM_CACHE: cache };
  const child = spawn(path, ['wait'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => resolve(code ?? -1));
    child.once('error', reject);
  });
  const spoke = new Promise((resolve) => child.stdout.once('data', resolve));
  await Promise.race([spoke, exited]);
  return {
    end() {
      child.stdin.end();
      return exited;
    },
  };
}
