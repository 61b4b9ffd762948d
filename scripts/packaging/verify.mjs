/** Makes a single file again, from a clean checkout of this commit, and compares it with a given one. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { HEAD_BYTES } from './assemble.mjs';
import { SBOM_FILE } from './sbom.mjs';

/** Another commit changes the names of almost all parts. */
const LINES_MAX = 20;

/**
 * Builds in the folder `work` and returns a line for each difference; none if all bytes are the same.
 * `options` are passed on to the build. Throws if the file is none of ours.
 */
export function verifyFile(file, { top, work, options }) {
  const { arch } = readFile(file);
  const checkout = join(work, 'checkout');
  const out = join(work, 'out');
  const inherit = { stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', top, checkout], inherit);
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: top, encoding: 'utf8' }).trim();
  execFileSync('git', ['checkout', '--quiet', '--detach', commit], { cwd: checkout, ...inherit });
  // The script of better-sqlite3 12 may compile it for minutes, and the file has version 13.
  const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', install, { cwd: checkout, ...inherit });
  execFileSync('npm', ['run', '--silent', 'postinstall'], { cwd: checkout, ...inherit });
  const { SOURCE_DATE_EPOCH: _, ...env } = process.env;
  const args = ['scripts/packaging/package.mjs', '--arch', arch, '--out', out, ...options];
  execFileSync(process.execPath, args, { cwd: checkout, env, ...inherit });
  return differencesOf(file, join(out, `verbatim-linux-${arch}`), work);
}

/** Returns a line for each difference of two files; `work` takes what is unpacked. */
export function differencesOf(given, made, work) {
  if (readFileSync(given).equals(readFileSync(made))) return [];
  const [one, other] = [given, made].map((path, index) => {
    return unpack(readFile(path), join(work, `unpacked-${index}`));
  });
  const found = [];
  const compare = (what, before, now) => {
    if (before !== now)
      found.push(`${what}: ${before ?? 'none'} in the file, ${now ?? 'none'} here`);
  };
  for (const name of new Set([...one.tools.keys(), ...other.tools.keys()])) {
    compare(name, one.tools.get(name), other.tools.get(name));
  }
  for (const name of new Set([...one.parts.keys(), ...other.parts.keys()])) {
    // The bill names the tools, which have a line of their own.
    if (name === SBOM_FILE && found.length > 0) continue;
    compare(`part ${name}`, one.parts.get(name), other.parts.get(name));
  }
  compare('unpacker', one.unpacker, other.unpacker);
  const more = found.length - LINES_MAX;
  if (more > 0) return [...found.slice(0, LINES_MAX), `and ${more} more`];
  if (found.length > 0) return found;
  return ['the same parts, packed or dated differently: another preset (--quick), tar, or Node'];
}

/** Reads a single file by what its head says. Throws if the file is none of ours. */
export function readFile(path) {
  const bytes = readFileSync(path);
  const head = bytes.toString('latin1', 0, HEAD_BYTES);
  const [, arch] = /^# Verbatim \S+ for linux-(\w+): one file/m.exec(head) ?? [];
  if (arch === undefined) throw new Error(`${path} is no single file of Verbatim`);
  const numberOf = (name) => Number(new RegExp(`^${name}=(\\d+)`, 'm').exec(head)?.[1]);
  const [from, size, parts] = ['unxz_at', 'unxz_bytes', 'parts_at'].map(numberOf);
  const unpacker = bytes.subarray(from - 1, from - 1 + size);
  return { arch, unpacker, packed: bytes.subarray(parts - 1) };
}

/** Unpacks without running anything of the file. */
function unpack({ unpacker, packed }, folder) {
  mkdirSync(folder, { recursive: true });
  const names = ['./parts.sha256', `./${SBOM_FILE}`];
  execFileSync('tar', ['-xJf', '-', '-C', folder, ...names], { input: packed });
  const list = readFileSync(join(folder, 'parts.sha256'), 'utf8').trim().split('\n');
  const { metadata, components } = JSON.parse(readFileSync(join(folder, SBOM_FILE), 'utf8'));
  const node = components.filter(({ name }) => name === 'Node.js');
  return {
    parts: new Map(list.map((line) => [line.slice(66), line.slice(0, 12)])),
    // Everything that decides on the bytes.
    tools: new Map([
      ...metadata.component.properties.map(({ name, value }) => [name, value]),
      ...[...metadata.tools, ...node].map(({ name, version }) => [name, version]),
    ]),
    unpacker: createHash('sha256').update(gunzipSync(unpacker)).digest('hex').slice(0, 12),
  };
}
