/** One-time links: looked at, used once, asked for by mail. */
import { describe, expect, it } from 'vitest';
import { linkUrl, readLink, redeemLink, requestLink } from '../../src/accounts/links.ts';
import { requireSession } from '../../src/accounts/sign-in.ts';
import { disableCustomer, enableCustomer } from '../../src/store/disable-customer.ts';
import { createLink } from '../../src/store/links.ts';
import { rowsOf } from '../support/accounts.ts';
import {
  ADDRESS,
  addLinkedCustomer,
  CUSTOMER_EMAIL,
  createSignedIn,
  createWorld,
  emailOf,
  enter,
  OTHER_PASSWORD,
  PASSWORD,
  type World,
} from '../support/customer-accounts.ts';

const HOUR = 3_600_000;
const error = (code: string) => expect.objectContaining({ code });

describe('a link', () => {
  it('is looked at without being used up, sets the password and signs in, once', async () => {
    const world = createWorld();
    const { customerId, token } = addLinkedCustomer(world);
    const { parts } = world;
    for (let i = 0; i < 50; i++) {
      expect(readLink(parts, { token, address: ADDRESS })).toEqual({ email: CUSTOMER_EMAIL });
    }
    const link = { token, address: ADDRESS, password: PASSWORD };
    const { token: session, maxAgeSeconds } = await redeemLink(parts, link);
    expect(maxAgeSeconds).toBe(7 * 24 * 3600);
    expect(requireSession(parts, session).customer).toMatchObject({
      id: customerId,
      email: CUSTOMER_EMAIL,
    });
    expect(() => readLink(parts, { token, address: ADDRESS })).toThrow(error('link_over'));
    await expect(redeemLink(parts, link)).rejects.toThrow(error('link_over'));
    expect(emailOf(world, (await enter(world)).token)).toBe(CUSTOMER_EMAIL);
  });

  it('is used by one of two who come at once', async () => {
    const world = createWorld();
    const { token } = addLinkedCustomer(world);
    const both = [PASSWORD, OTHER_PASSWORD].map((password) =>
      redeemLink(world.parts, { token, address: ADDRESS, password }),
    );
    const settled = await Promise.allSettled(both);
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(rowsOf(world.db, 'SELECT 1 FROM sessions')).toHaveLength(1);
  });

  it('stays good where the password is weak', async () => {
    const world = createWorld();
    const { token } = addLinkedCustomer(world);
    const link = { token, address: ADDRESS };
    for (const password of ['short', 'ada@example.org']) {
      await expect(redeemLink(world.parts, { ...link, password })).rejects.toThrow(
        error('weak_password'),
      );
    }
    await redeemLink(world.parts, { ...link, password: PASSWORD });
  });

  const over: [what: string, end: (world: World, customerId: number) => void][] = [
    ['after 24 hours', ({ clock }) => (clock.now += 24 * HOUR)],
    [
      'when there is a newer one',
      ({ db, clock }, customerId) => createLink(db, { customerId, expiresAt: clock.now + HOUR }),
    ],
    [
      'when its customer is disabled, and it stays so',
      ({ db, clock }) => {
        disableCustomer(db, { email: CUSTOMER_EMAIL, now: clock.now });
        enableCustomer(db, { email: CUSTOMER_EMAIL });
      },
    ],
  ];
  it.each(over)('is over %s', async (_what, end) => {
    const world = createWorld();
    const { customerId, token } = addLinkedCustomer(world);
    end(world, customerId);
    expect(() => readLink(world.parts, { token, address: ADDRESS })).toThrow(error('link_over'));
    await expect(
      redeemLink(world.parts, { token, address: ADDRESS, password: PASSWORD }),
    ).rejects.toThrow(error('link_over'));
    expect(rowsOf(world.db, 'SELECT 1 FROM sessions')).toEqual([]);
  });

  it('is not found by guessing: an address has so many tries', () => {
    const world = createWorld({ triesPerAddressMax: 5 });
    const { token } = addLinkedCustomer(world);
    const guess =
      (address: string, guessed = 'x'.repeat(43)) =>
      () =>
        readLink(world.parts, { token: guessed, address });
    for (let i = 0; i < 5; i++) expect(guess(ADDRESS)).toThrow(error('link_over'));
    expect(guess(ADDRESS)).toThrow(error('too_many_tries'));
    expect(guess(ADDRESS, token)).toThrow(error('too_many_tries'));
    expect(guess('198.51.100.1', token)).not.toThrow();
  });

  it('ends all sessions of before', async () => {
    const { world, customerId, token } = await createSignedIn();
    const link = createLink(world.db, { customerId, expiresAt: world.clock.now + HOUR });
    const again = await redeemLink(world.parts, {
      ...{ token: link.token, address: ADDRESS, password: OTHER_PASSWORD },
    });
    expect([emailOf(world, token), emailOf(world, again.token)]).toEqual([
      undefined,
      CUSTOMER_EMAIL,
    ]);
    await expect(enter(world)).rejects.toThrow(error('wrong_sign_in'));
    await enter(world, OTHER_PASSWORD);
  });
});

describe('asking for a link', () => {
  const ask = ({ parts }: World, email: string, address = ADDRESS) =>
    requestLink(parts, { email, address });

  it('mails one to a customer, and nothing to anybody else, with the same answer', async () => {
    const world = createWorld({ publicUrl: 'https://search.example.org' }, true);
    addLinkedCustomer(world);
    addLinkedCustomer(world, 'bob@example.org');
    disableCustomer(world.db, { email: 'bob@example.org', now: world.clock.now });
    for (const email of ['ADA@example.org', 'bob@example.org', 'nobody@example.org']) {
      expect(ask(world, email)).toBeUndefined();
    }
    await world.parts.background.drain();
    expect(world.mails.map(({ to }) => to)).toEqual([CUSTOMER_EMAIL]);
    const token = /\?token=([\w-]{43})\n/.exec(world.mails[0]?.text ?? '')?.[1] ?? '';
    expect(world.mails[0]?.text).toContain(linkUrl(world.parts.settings, token));
    expect(world.mails[0]?.text).toContain('https://search.example.org/');
    await redeemLink(world.parts, { token, address: ADDRESS, password: PASSWORD });
    expect(rowsOf(world.db, 'SELECT id FROM customers')).toHaveLength(2);
    expect(world.logged).toEqual([]);
  });

  it('makes a customer where customers may register, without credit and without a key', async () => {
    const world = createWorld({ selfRegistration: 1, registrationsMax: 2 }, true);
    for (const name of ['eve', 'zoe', 'mia']) ask(world, `${name}@example.org`);
    await world.parts.background.drain();
    expect(rowsOf(world.db, 'SELECT email, balance FROM customers')).toEqual([
      ...[
        { email: 'eve@example.org', balance: 0 },
        { email: 'zoe@example.org', balance: 0 },
      ],
    ]);
    expect(world.mails).toHaveLength(2);
    expect(world.logged).toMatchObject([{ event: 'background_task_failed' }]);
  });

  it('without a mail server leaves the link to the operator, and an old one as it is', async () => {
    const world = createWorld({ selfRegistration: 1 });
    const { token } = addLinkedCustomer(world);
    for (const name of ['ada', 'eve']) ask(world, `${name}@example.org`);
    await world.parts.background.drain();
    expect(rowsOf(world.db, 'SELECT email FROM customers')).toHaveLength(2);
    expect(readLink(world.parts, { token, address: ADDRESS })).toEqual({ email: CUSTOMER_EMAIL });
    expect(rowsOf(world.db, 'SELECT 1 FROM sign_in_links')).toHaveLength(1);
  });

  it('is throttled by account and by network address', async () => {
    const world = createWorld({ linksPerAccountMax: 2, linksPerAddressMax: 4 });
    for (let i = 0; i < 2; i++) ask(world, CUSTOMER_EMAIL);
    expect(() => ask(world, CUSTOMER_EMAIL)).toThrow(error('too_many_tries'));
    ask(world, 'eve@example.org');
    expect(() => ask(world, 'zoe@example.org')).toThrow(error('too_many_tries'));
    expect(() => ask(world, 'zoe@example.org', '198.51.100.1')).not.toThrow();
    await world.parts.background.drain();
  });

  it.each(['', 'ada', 'ada@example.org\nBcc: eve@example.org', 'ada@example.org, eve@example.org'])(
    'for %j is refused',
    (email) => {
      expect(() => ask(createWorld(), email)).toThrow(error('bad_request'));
    },
  );

  it('that cannot be mailed is logged without the link', async () => {
    const world = createWorld({}, true);
    addLinkedCustomer(world);
    world.parts.sendMail = () => Promise.reject(new Error('no route to the mail server'));
    ask(world, CUSTOMER_EMAIL);
    await world.parts.background.drain();
    expect(world.logged).toEqual([
      {
        event: 'background_task_failed',
        fields: { task: 'send a link', reason: 'no route to the mail server' },
      },
    ]);
  });
});
