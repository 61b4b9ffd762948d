/** Fetches packages that the file contains and that npm has not installed here. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Fetches a package through npm, from its cache if it is there, and unpacks `members` of it into
 * `folder` (everything if absent). Returns the package's folder. Throws if the archive does not have
 * the given integrity, which is the registry's.
 */
export function fetchPackage({ package: name, version, integrity }, folder, members = []) {
  mkdirSync(folder, { recursive: true });
  const options = ['--json', '--prefer-offline', '--pack-destination', folder];
  const output = execFileSync('npm', ['pack', `${name}@${version}`, ...options], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 * 1024,
  });
  const [packed] = Object.values(JSON.parse(output));
  const archive = join(folder, packed.filename);
  const actual = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (actual !== integrity) {
    throw new Error(`${name} ${version} has the integrity ${actual}, not ${integrity}`);
  }
  const unpacked = join(folder, name);
  mkdirSync(unpacked);
  execFileSync('tar', ['-xzf', archive, '-C', unpacked, '--strip-components=1', ...members]);
  return unpacked;
}
