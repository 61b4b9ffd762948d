/**
 * Runs `--version` of the single file for arm64 in Debian's qemu-aarch64, with the libraries of the cross
 * compiler. The file's head refuses another processor, so its parts are unpacked here.
 *
 *   npm run measure -- arm64 [FILE]    without FILE, it is made first
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFile } from './packaging/verify.mjs';

const LIBRARIES = '/usr/aarch64-linux-gnu';

const folder = mkdtempSync(join(tmpdir(), 'verbatim-arm64-'));
try {
  const { packed } = readFile(process.argv[2] ?? makeFile());
  execFileSync('tar', ['-xJf', '-', '-C', folder], { input: packed });
  const [node, program] = ['bin/node', 'app/verbatim.js'].map((part) => join(folder, part));
  const args = ['-L', LIBRARIES, node, program, '--version'];
  execFileSync('qemu-aarch64', args, { stdio: 'inherit' });
} catch (error) {
  process.stderr.write(`arm64: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

function makeFile() {
  const packager = join(import.meta.dirname, 'packaging/package.mjs');
  const args = [packager, '--arch', 'arm64', '--quick', '--out', folder];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
  return join(folder, 'verbatim-linux-arm64');
}
