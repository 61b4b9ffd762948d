/** Certificates that the doctor warns of, made with openssl. */
import { chmodSync } from 'node:fs';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/accounts.ts';
import { createAuthority, type Issued } from '../../support/certificates.ts';
import { findingsOf } from './examination.ts';

const authority = createAuthority(temporaryFolder());
const settingsOf = ({ certificateFile, keyFile }: Issued) => {
  chmodSync(keyFile, 0o600);
  return { tlsCertificate: certificateFile, tlsKey: keyFile };
};
const good = settingsOf(authority.issue('good'));

it('is in order, with its names and the days that are left', async () => {
  const settings = { ...good, publicUrl: 'https://localhost' };
  expect(await findingsOf('certificate', settings)).toEqual([
    { severity: 'ok', found: 'for localhost, 127.0.0.1, 89 days left', advice: '' },
  ]);
});

it.each([
  ['ends soon', () => settingsOf(authority.issue('soon', 12)), 'warning', /, 11 days left$/],
  ['has expired', () => settingsOf(authority.issue('old', -1)), 'error', / expired on \d{4}-/],
  [
    'belongs to another key',
    () => ({ ...good, tlsKey: authority.issue('other').keyFile }),
    'error',
    /the key in \S+ does not belong to the certificate in \S+/,
  ],
  ['is missing', () => ({ ...good, tlsCertificate: '/none.crt' }), 'error', /cannot read \/none/],
])('%s', async (_what, settings, severity, found) => {
  expect(await findingsOf('certificate', settings())).toEqual([
    { severity, found: expect.stringMatching(found), advice: expect.stringMatching(/./) },
  ]);
});

it('is for another host than the public address', async () => {
  const settings = { ...good, publicUrl: 'https://search.example.org' };
  const [, names] = await findingsOf('certificate', settings);
  expect(names).toMatchObject({
    severity: 'error',
    advice: 'get a certificate for search.example.org',
  });
});

it('has a key that every user may read', async () => {
  const open = settingsOf(authority.issue('open'));
  chmodSync(open.tlsKey, 0o644);
  const [, key] = await findingsOf('certificate', open);
  expect(key).toMatchObject({ severity: 'warning', advice: `chmod 640 ${open.tlsKey}` });
});
