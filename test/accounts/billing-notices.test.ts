/** Mail about billing, with a mail server of ours on loopback. */
import { afterEach, describe, expect, it } from 'vitest';
import { startBillingNotices } from '../../src/accounts/billing-notices.ts';
import { createMailer, MailFailure } from '../../src/accounts/mail.ts';
import {
  placeTopUpOrder,
  saveTopUpCard,
  startTopUp,
} from '../../src/accounts/sql/automatic-top-up-rows.ts';
import { saveBuyer } from '../../src/accounts/sql/buyers.ts';
import { monthStart } from '../../src/accounts/sql/calendar-month.ts';
import { topUp } from '../../src/accounts/sql/credit-entries.ts';
import { setLowBalance } from '../../src/accounts/sql/customers.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { createSignedIn, createWorld, type World } from '../support/account-world.ts';
import { NOW } from '../support/accounts.ts';
import { type Faults, type MailServer, startMailServer } from '../support/mail-server.ts';
import { addOrder, take } from './payments/orders.ts';
import { sessionObject, stripeEvent } from './payments/stripe-stub.ts';

const RETRY_MS = 1_000;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Ada, whose balance has just fallen below her warning, and a mail server. */
async function createWarned(faults: Faults = {}): Promise<{ world: World; mails: MailServer }> {
  const mails = await startMailServer(faults);
  ends.push(mails.close);
  const smtp = { smtpUrl: mails.url, mailFrom: 'verbatim@example.org' };
  const world = createWorld({ ...smtp, noticeCheckMs: 1, noticeRetryMs: RETRY_MS });
  const { customerId } = await createSignedIn(world);
  changeOnSqlite(world.db, topUp({ customerId, credits: 1_500, now: NOW }));
  changeOnSqlite(world.db, setLowBalance({ customerId, credits: 1_500 }));
  fall(world, customerId);
  return { world, mails };
}

function fall({ db }: World, customerId = 1): void {
  db.prepare('UPDATE customers SET balance = balance - 1 WHERE id = ?').run(customerId);
}

function start({ deps }: World): () => Promise<void> {
  const stop = startBillingNotices(deps, () => 'https://search.example.org');
  ends.push(stop);
  return stop;
}

const failures = ({ logged }: World): number =>
  logged.filter(({ event }) => event === 'notice_failed').length;

describe('a low balance', () => {
  it('is mailed once, with what is left', async () => {
    const { world, mails } = await createWarned();
    const stop = start(world);
    await expect.poll(() => mails.received).toHaveLength(1);
    const [mail = ''] = mails.received;
    expect(mail).toContain('To: ada@example.org');
    expect(mail).toContain('Your balance is below 1,500 credits: 1,499 are left.');
    expect(mail).toContain('https://search.example.org/dashboard/billing');
    fall(world);
    await stop();
    start(world);
    changeOnSqlite(world.db, topUp({ customerId: 1, credits: 2, now: NOW }));
    fall(world);
    await expect.poll(() => mails.received).toHaveLength(2);
    expect(mails.received[1]).toContain('1,499 are left');
  });

  it('that began before a start is mailed after it', async () => {
    const { world, mails } = await createWarned();
    await start(world)();
    expect(mails.received).toEqual([]);
    start(world);
    await expect.poll(() => mails.received).toHaveLength(1);
  });

  it('is mailed later if the server refuses the mail', async () => {
    const { world, mails } = await createWarned({ RCPT: '450 later' });
    start(world);
    await expect.poll(() => failures(world)).toBe(1);
    world.clock.now += RETRY_MS - 1;
    expect(await world.deps.store.listDueNotices({ now: world.clock.now, limit: 9 })).toEqual([]);
    world.clock.now += 1;
    await expect.poll(() => failures(world)).toBe(2);
    expect(mails.received).toEqual([]);
  });

  it('is not mailed again if the server took the mail and did not say so', async () => {
    const { world, mails } = await createWarned({ taken: '' });
    start(world);
    await expect.poll(() => mails.received).toHaveLength(1);
    for (const socket of mails.sockets) socket.destroy();
    await expect.poll(() => failures(world)).toBe(1);
    const later = { now: world.clock.now + 1_000 * RETRY_MS, limit: 9 };
    expect(await world.deps.store.listDueNotices(later)).toEqual([]);
  });

  it('of somebody who owes is told as a debt', async () => {
    const { world, mails } = await createWarned();
    world.db.prepare('UPDATE customers SET balance = -5').run();
    start(world);
    await expect.poll(() => mails.received).toHaveLength(1);
    expect(mails.received[0]).toContain('you owe 5');
  });

  it('is not mailed without a mail server, and waits for nothing', async () => {
    const world = createWorld({ noticeCheckMs: 1 });
    await startBillingNotices(world.deps, () => '')();
    expect(world.writes).toEqual([]);
  });
});

it('a balance that has risen before anybody looked is not mailed', async () => {
  const { world, mails } = await createWarned();
  const { db } = world;
  db.prepare('UPDATE customers SET balance = low_balance').run();
  start(world);
  await expect.poll(() => world.writes).toContain('claimNotice');
  expect(mails.received).toEqual([]);
});

it('a month that allows no more automatic orders is mailed once, with when it goes on', async () => {
  const { world, mails } = await createWarned();
  const { db } = world;
  changeOnSqlite(db, setLowBalance({ customerId: 1, credits: null }));
  const terms = { threshold: 1_500, credits: 1_000, amount: 500, currency: 'usd' };
  changeOnSqlite(
    db,
    startTopUp({ ...terms, customerId: 1, setUp: 'x', amountPerMonthMax: 700, now: NOW }),
  );
  changeOnSqlite(
    db,
    saveTopUpCard({ setUp: 'x', stripeCustomer: 'c', paymentMethod: 'p', card: 'visa 4242' }),
  );
  const place = (orderId: string) => {
    const times = { monthStart: monthStart(NOW), retryAt: NOW, expiresAt: NOW, now: NOW };
    return changeOnSqlite(db, placeTopUpOrder({ customerId: 1, orderId, ...times }));
  };
  expect(place('first')).toBe('ordered');
  db.exec("UPDATE payments SET state = 'expired'");
  expect([place('second'), place('third')]).toEqual(['bound', 'bound']);
  const stop = start(world);
  await expect.poll(() => mails.received).toHaveLength(1);
  const mail = (mails.received[0] ?? '').replace(/=?\r\n/g, '');
  expect(mail).toContain(
    'come to $5.00, and another pack would exceed your monthly limit of $7.00',
  );
  expect(mail).toContain('Your balance is below 1,500 credits: 1,499 are left.');
  await stop();
  expect(place('fourth')).toBe('bound');
  expect(await world.deps.store.listDueNotices({ now: NOW * 2, limit: 9 })).toEqual([]);
});

it('a receipt is mailed as text and as HTML, with what customers wrote as text', async () => {
  const { world, mails } = await createWarned();
  const { db } = world;
  changeOnSqlite(db, setLowBalance({ customerId: 1, credits: null }));
  changeOnSqlite(db, saveBuyer({ customerId: 1, address: 'Ada <b>&</b>', taxId: 'VAT 9' }));
  const order = addOrder(db);
  take(db, stripeEvent('checkout.session.completed', sessionObject(order)));
  start(world);
  await expect.poll(() => mails.received).toHaveLength(1);
  const mail = (mails.received[0] ?? '').replace(/=\r\n/g, '');
  expect(mail).toContain('Subject: Receipt 1-0001 from Verbatim: 1,000 credits for $5.00');
  expect(mail).toContain('multipart/alternative');
  const [, text = '', html = ''] = mail.split(/Content-Type: text\/(?:plain|html)/);
  expect(text).toContain('Buyer: Ada <b>&</b>');
  expect(text).toContain(`https://search.example.org/dashboard/billing/${order.orderId}/receipt`);
  expect(html).toContain('Ada &lt;b&gt;&amp;&lt;/b&gt;<br>ada@example.org<br>VAT 9');
  expect(html).not.toContain('<b>&');
});

describe('a mail that failed', () => {
  const failureOf = async (smtpUrl: string): Promise<unknown> => {
    const mail = { to: 'ada@example.org', subject: 'x', text: 'x' };
    const settings = { smtpUrl, mailFrom: 'verbatim@example.org', mailTimeoutMs: 60_000 };
    return await createMailer(settings)?.(mail).then(
      () => undefined,
      (error: unknown) => error,
    );
  };

  it('cannot have arrived if nobody listens, or if the server refused it', async () => {
    const mails = await startMailServer({ DATA: '554 no' });
    const failures = [await failureOf(mails.url)];
    mails.close();
    failures.push(await failureOf(mails.url));
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(MailFailure);
      expect(failure).toMatchObject({ code: 'mail_failed', mayHaveArrived: false });
    }
  });
});
