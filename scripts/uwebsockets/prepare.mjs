/**
 * Runs after `npm install`: prepares the binaries of uWebSockets.js that Verbatim may run on.
 *
 *   node scripts/uwebsockets/prepare.mjs [FOLDER]    FOLDER: the package, else the installed one
 *
 * Running it again changes nothing. A binary that cannot be prepared ends the installation.
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
  // Renamed into place: a process that runs the old file keeps it whole.
  writeFileSync(`${path}.new`, bytes);
  renameSync(`${path}.new`, path);
}
