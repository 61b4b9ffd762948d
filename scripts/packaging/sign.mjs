/** Lists the hashes of what was made, and signs the list with a key of OpenSSH. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the signature is for, and who signs: `verbatim upgrade` expects both. */
const NAMESPACE = 'verbatim';
const SIGNER = 'verbatim';
const MADE = /^verbatim(-|_)/;

/**
 * Writes SHA256SUMS of the files in a folder, and SHA256SUMS.sig. Returns the line of the key for
 * `allowed_signers`. Throws for a key in the source tree `top`: one `git add` would publish it.
 */
export function signFolder(folder, key, top) {
  if (realpathSync(key).startsWith(`${realpathSync(top)}/`)) {
    throw new Error(`${key} lies in the source tree; keep the key elsewhere`);
  }
  const names = readdirSync(folder)
    .filter((name) => MADE.test(name))
    .sort();
  if (names.length === 0) throw new Error(`nothing in ${folder} was made by npm run package`);
  const sums = join(folder, 'SHA256SUMS');
  const hashOf = (name) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  writeFileSync(sums, names.map((name) => `${hashOf(name)}  ${name}\n`).join(''));
  // ssh-keygen asks before it writes over a signature.
  rmSync(`${sums}.sig`, { force: true });
  const stdio = ['inherit', 'ignore', 'inherit'];
  execFileSync('ssh-keygen', ['-Y', 'sign', '-f', key, '-n', NAMESPACE, sums], { stdio });
  const publicKey = execFileSync('ssh-keygen', ['-y', '-f', key], { encoding: 'utf8' });
  const [kind, value] = publicKey.split(/\s+/);
  return `${SIGNER} namespaces="${NAMESPACE}" ${kind} ${value}`;
}
