/** `verbatim customer remove-second-factor` mails whom it happened to, whether or not a server runs. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { enableSecondFactor, findSecondFactor } from '../../src/accounts/sql/second-factor-rows.ts';
import { changeOnSqlite, runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { temporaryFolder } from '../support/accounts.ts';
import { addSomeone, inStore } from '../support/history.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { type RunOptions, runCommand } from '../support/verbatim.ts';

const folder = temporaryFolder();
const database = join(folder, 'customers.db');
let mails: MailServer | undefined;
let email: string;
let people = 0;

beforeEach(() => {
  email = `ada-${++people}@example.org`;
  const input = { email, secret: Buffer.alloc(20), step: 1, recoveryHashes: [], now: 1 };
  addSomeone(database, { email });
  inStore(database, (db) => changeOnSqlite(db, enableSecondFactor(input)));
});
afterEach(() => mails?.close());

const smtp = (url: string): Record<string, string> => ({
  VERBATIM_SMTP_URL: url,
  VERBATIM_MAIL_FROM: 'verbatim@example.org',
});
const remove = (options: RunOptions = {}) =>
  runCommand(['customer', 'remove-second-factor', email, '--db', database], options);
const isOn = (): boolean =>
  inStore(database, (db) => runOnSqlite(db, findSecondFactor(email))) !== undefined;

it('mails the member', async () => {
  mails = await startMailServer();
  const { stdout } = await remove({ env: smtp(mails.url) });
  expect(stdout).toContain('a mail tells them');
  expect(mails.received).toHaveLength(1);
  expect(mails.received[0]).toContain(`To: ${email}`);
  expect(mails.received[0]).toContain('two-step sign-in off');
  expect(isOn()).toBe(false);
});

it('removes it without the mail, and says so', async () => {
  mails = await startMailServer({ RCPT: '550 no' });
  const { stdout, stderr } = await remove({ env: smtp(mails.url) });
  expect(stderr).toContain(`EENVELOPE, answer 550; tell ${email} yourself`);
  expect(stdout).not.toContain('a mail tells them');
  expect(isOn()).toBe(false);
});

it('changes nothing where the settings of the mail server are wrong', async () => {
  const { stderr } = await remove({ env: smtp('http://mail.example.org'), code: 2 });
  expect(stderr).toContain('VERBATIM_SMTP_URL must be');
  expect(isOn()).toBe(true);
});
