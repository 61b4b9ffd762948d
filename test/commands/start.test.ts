/** `verbatim start` that cannot succeed makes nothing. What it prints is in first-minute.test.ts. */
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/accounts.ts';
import { createAuthority } from '../support/certificates.ts';
import { copySampleIndex, removeDatabase, startService } from '../support/service.ts';
import { runVerbatim } from '../support/verbatim.ts';

const folder = temporaryFolder();
const { certificateFile, keyFile } = createAuthority(folder).issue('old', -1);

it('refuses a certificate that has expired, unless the operator allows it', async () => {
  const env = { VERBATIM_TLS_CERTIFICATE: certificateFile, VERBATIM_TLS_KEY: keyFile };
  const empty = mkdtempSync(join(folder, 'empty-'));
  const args = ['start', '--port', '0', '--db', join(empty, 'data/v.db')];
  const { stderr } = await runVerbatim(args, { env, code: 2 });
  expect(stderr).toMatch(/old\.crt expired on \d{4}-\d\d-\d\d; .*--allow-expired\n$/);
  expect(readdirSync(empty)).toEqual([]);
  const database = await copySampleIndex();
  const { log, end } = await startService(database, env, [], ['--allow-expired']);
  expect(log).toContainEqual(expect.objectContaining({ event: 'certificate_refused_by_clients' }));
  expect(await end()).toBe(0);
  await removeDatabase(database);
});
