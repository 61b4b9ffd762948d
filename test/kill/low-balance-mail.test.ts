/** A server that is killed after a balance fell: the next one sends the mail, and nobody a second one. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditLedger } from '../../src/accounts/sqlite/ledger/audit.ts';
import { addKey, addSomeone, inStore, warnBelow } from '../support/history.ts';
import { withLimits } from '../support/limits.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import {
  copySampleIndex,
  postSearch,
  removeDatabase,
  type Service,
  startService,
} from '../support/service.ts';

const ADA = 'ada@example.org';
const HOUR_MS = 3_600_000;

let mails: MailServer;
let database: string;
beforeAll(async () => {
  mails = await startMailServer();
  database = await copySampleIndex();
});
afterAll(async () => {
  mails.close();
  await removeDatabase(database);
});

const start = (checkMs: number): Promise<Service> =>
  startService(database, {
    VERBATIM_SMTP_URL: mails.url,
    VERBATIM_MAIL_FROM: 'verbatim@example.org',
    ...withLimits({ noticeCheckMs: checkMs }),
  });

it('a fall is mailed once, whatever ends the server', async () => {
  const { customerId } = addSomeone(database, { email: ADA, credits: 5 });
  warnBelow(database, customerId, 5);
  const { secret } = addKey(database, customerId, 'agent');
  const first = await start(HOUR_MS);
  expect((await postSearch(first.url, secret)).status).toBe(200);
  // Until it is charged, the next start would return the credit, and nothing would be low.
  await expect.poll(() => inStore(database, auditLedger).held).toBe(0);
  await first.end('SIGKILL');
  expect(mails.received).toEqual([]);

  const second = await start(5);
  await expect.poll(() => mails.received).toHaveLength(1);
  expect(mails.received[0]).toContain('To: ada@example.org');
  expect((await postSearch(second.url, secret)).status).toBe(200);
  await second.end('SIGKILL');

  const third = await start(5);
  expect((await postSearch(third.url, secret)).status).toBe(200);
  // A second mail would leave before the server ends.
  await third.end();
  expect(mails.received).toHaveLength(1);
});
