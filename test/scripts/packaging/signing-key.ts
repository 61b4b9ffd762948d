/** A key of OpenSSH that signs releases in tests. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Makes a key without a passphrase in the folder and returns its path. */
export function newKey(folder: string): string {
  const key = join(folder, 'release-key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', key]);
  return key;
}
