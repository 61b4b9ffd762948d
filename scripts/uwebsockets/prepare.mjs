/**
 * Runs after `npm install`, and prepares the Linux binaries of uWebSockets.js.
 *
 *   node scripts/uwebsockets/prepare.mjs [FOLDER]    FOLDER: the package (default: the installed one)
 *
 * Running it again changes nothing. If it cannot prepare a binary, the installation fails.
 */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isElf } from './elf.mjs';
import { lowerGlibc } from './glibc.mjs';
import { replaceRefusals } from './refusals.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, '../../node_modules/uWebSockets.js');

for (const name of readdirSync(folder).filter((file) => /^uws_linux_\w+\.node$/.test(file))) {
  const path = join(folder, name);
  const bytes = readFileSync(path);
  if (!isElf(bytes)) continue;
  const before = Buffer.from(bytes);
  try {
    lowerGlibc(bytes);
    replaceRefusals(bytes);
  } catch (error) {
    console.error(`cannot prepare ${path}: ${error.message}`);
    process.exit(1);
  }
  if (bytes.equals(before)) continue;
  // A rename does not damage the old file for a process that is using it.
  writeFileSync(`${path}.new`, bytes);
  renameSync(`${path}.new`, path);
}
