/** Whether a file is what the releaser signed: its hash in SHA256SUMS, and OpenSSH's signature of that list. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { VerbatimError } from '../../errors.ts';

/** The signer and the purpose that scripts/packaging/sign.mjs signs with. */
const SIGNER = 'verbatim';
const NAMESPACE = 'verbatim';

/**
 * Resolves if `copy` has the hash that SHA256SUMS beside `file` lists for it, and a key of the file
 * `signers` has signed that list. Throws `unreadable_input` for a missing file, and `verify_failed`.
 */
export async function verifyDownload(file: string, copy: string, signers: string): Promise<void> {
  const sums = join(dirname(file), 'SHA256SUMS');
  for (const path of [sums, `${sums}.sig`, signers]) {
    if (existsSync(path)) continue;
    throw new VerbatimError('unreadable_input', `there is no file ${path}; the signature needs it`);
  }
  const list = readFileSync(sums);
  const args = ['-Y', 'verify', '-f', signers, '-I', SIGNER, '-n', NAMESPACE, '-s', `${sums}.sig`];
  const { status, error, stderr } = spawnSync('ssh-keygen', args, { input: list });
  if (error !== undefined) {
    throw new VerbatimError('verify_failed', 'the signature needs ssh-keygen (openssh-client)');
  }
  if (status !== 0) {
    const reason = String(stderr).trim();
    throw new VerbatimError('verify_failed', `no key of ${signers} signed ${sums}: ${reason}`);
  }
  const hash = createHash('sha256');
  for await (const piece of createReadStream(copy)) hash.update(piece);
  const line = `${hash.digest('hex')}  ${basename(file)}`;
  if (list.toString().split('\n').includes(line)) return;
  throw new VerbatimError('verify_failed', `${file} is not the file that ${sums} lists`);
}
