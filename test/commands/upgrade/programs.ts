/**
 * Programs that an upgrade replaces: scripts that run what is in dist/ as the single file runs what it has
 * unpacked. The newer ones have one more step of migration.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { signFolder } from '../../../scripts/packaging/sign.mjs';
import { bundlePath } from '../../../src/settings/bundle.ts';
import { newKey } from '../../scripts/packaging/signing-key.ts';

const dist = dirname(bundlePath());
export const NEWER_VERSION = '99.0.0';
const STEP = ", { name: 'one more', sql: 'CREATE TABLE one_more (a)' }]";

export interface Installation {
  folder: string;
  /** The file that is replaced. */
  program: string;
  database: string;
  /** A folder with the newer program as `verbatim-linux-x64`, and its signature. */
  download: string;
  signers: string;
}

export interface NewerProgram {
  /** Whether it migrates; otherwise it has the same tables. */
  migrates?: boolean;
  /** Shell commands that it runs first, with its arguments. */
  first?: string;
}

/** Makes a folder below `top` with a program and a signed newer one. */
export function install(top: string, { migrates = true, first = '' }: NewerProgram): Installation {
  const folder = mkdtempSync(join(top, 'upgrade-'));
  const [bin, download] = [join(folder, 'bin'), join(folder, 'download')];
  for (const made of [bin, download]) mkdirSync(made);
  const program = join(bin, 'verbatim');
  writeProgram(program, bundlePath(), '');
  writeProgram(
    join(download, 'verbatim-linux-x64'),
    migrates ? newerBundle(top) : bundlePath(),
    first,
  );
  const signers = join(folder, 'allowed_signers');
  writeFileSync(signers, `${signFolder(download, newKey(folder), dist)}\n`);
  return { folder, program, database: join(folder, 'verbatim.db'), download, signers };
}

function writeProgram(path: string, bundle: string, first: string): void {
  const lines = [
    '#!/bin/sh',
    first,
    'case $0 in /*) VERBATIM_FILE=$0 ;; *) VERBATIM_FILE=$PWD/$0 ;; esac',
    'VERBATIM_PROGRAM=$0; export VERBATIM_FILE VERBATIM_PROGRAM',
    `exec "${process.execPath}" "${bundle}" "$@"`,
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  chmodSync(path, 0o755);
}

/** Makes dist/ of version 99.0.0 once, with one more step; returns the path of its bundle. */
function newerBundle(top: string): string {
  const newer = join(top, 'newer');
  const bundle = join(newer, 'verbatim.js');
  if (existsSync(bundle)) return bundle;
  mkdirSync(newer);
  for (const name of readdirSync(dist)) {
    if (!/^(chunks|verbatim\.js)$/.test(name)) symlinkSync(join(dist, name), join(newer, name));
  }
  cpSync(join(dist, 'chunks'), join(newer, 'chunks'), { recursive: true });
  cpSync(bundlePath(), bundle);
  let changes = 0;
  for (const path of [
    bundle,
    ...readdirSync(join(newer, 'chunks')).map((n) => join(newer, 'chunks', n)),
  ]) {
    const text = readFileSync(path, 'utf8');
    const changed = text
      .replace(/(var steps = \[\s*listsAndCentroids[^\]]*)\]/, `$1${STEP}`)
      .replace(/^(var version = true \? )"[^"]+"/m, `$1"${NEWER_VERSION}"`);
    if (changed === text) continue;
    changes += 1;
    writeFileSync(path, changed);
  }
  if (changes !== 2) throw new Error('the steps of the bundle look different');
  return bundle;
}
