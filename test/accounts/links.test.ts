/** One-time links: looked at, used once, asked for by mail. */

import { describe, expect, it } from 'vitest';
import { baseUrl } from '../../src/accounts/base-url.ts';
import { linkUrl, readLink, redeemLink, requestLink } from '../../src/accounts/links.ts';
import { requireSession } from '../../src/accounts/sign-in.ts';
import { disableCustomer, enableCustomer } from '../../src/accounts/sql/disable-customer.ts';
import { createLink } from '../../src/accounts/sql/sign-in-links.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
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
} from '../support/account-world.ts';
import { rowsOf } from '../support/accounts.ts';

const HOUR = 3_600_000;
const error = (code: string) => expect.objectContaining({ code });

describe('a one-time link', () => {
  it('can be opened without using it up, and sets the password and signs in once', async () => {
    const world = createWorld();
    const { customerId, token } = addLinkedCustomer(world);
    const { deps } = world;
    for (let i = 0; i < 50; i++) {
      expect(await readLink(deps, token)).toEqual({
        email: CUSTOMER_EMAIL,
        needsCode: false,
      });
    }
    const link = { token, password: PASSWORD };
    const { session, browser } = await redeemLink(deps, link);
    expect(session.maxAgeSeconds).toBe(7 * 24 * 3600);
    expect(browser.maxAgeSeconds).toBe(180 * 24 * 3600);
    expect((await requireSession(deps, session.token)).customer).toMatchObject({
      id: customerId,
      email: CUSTOMER_EMAIL,
    });
    await expect(readLink(deps, token)).rejects.toThrow(error('link_over'));
    await expect(redeemLink(deps, link)).rejects.toThrow(error('link_over'));
    expect(await emailOf(world, (await enter(world)).token)).toBe(CUSTOMER_EMAIL);
  });

  it('stays valid if the password is weak', async () => {
    const world = createWorld();
    const { token } = addLinkedCustomer(world);
    for (const password of ['short', 'ada@example.org']) {
      await expect(redeemLink(world.deps, { token, password })).rejects.toThrow(
        error('weak_password'),
      );
    }
    await redeemLink(world.deps, { token, password: PASSWORD });
  });

  const over: [what: string, end: (world: World, memberId: number) => void][] = [
    ['after 24 hours', ({ clock }) => (clock.now += 24 * HOUR)],
    [
      'when there is a newer one',
      ({ db, clock }, memberId) =>
        changeOnSqlite(db, createLink({ memberId, expiresAt: clock.now + HOUR })),
    ],
    [
      'when its customer is disabled, and it stays so',
      ({ db, clock }) => {
        changeOnSqlite(db, disableCustomer({ email: CUSTOMER_EMAIL, now: clock.now }));
        changeOnSqlite(db, enableCustomer({ email: CUSTOMER_EMAIL }));
      },
    ],
  ];
  it.each(over)('is invalid %s', async (_what, end) => {
    const world = createWorld();
    const { memberId, token } = addLinkedCustomer(world);
    end(world, memberId);
    await expect(readLink(world.deps, token)).rejects.toThrow(error('link_over'));
    await expect(redeemLink(world.deps, { token, password: PASSWORD })).rejects.toThrow(
      error('link_over'),
    );
    expect(rowsOf(world.db, 'SELECT 1 FROM sessions')).toEqual([]);
  });

  it('opens regardless of wrong links and wrong passwords from its network', async () => {
    const world = createWorld({ triesPerAddressMax: 5 });
    const { token } = addLinkedCustomer(world);
    for (let i = 0; i < 50; i++) {
      await expect(readLink(world.deps, 'x'.repeat(43))).rejects.toThrow(error('link_over'));
    }
    for (let i = 0; i < 5; i++) {
      await expect(enter(world, 'wrong')).rejects.toThrow(error('wrong_sign_in'));
    }
    await expect(enter(world, 'wrong')).rejects.toThrow(error('too_many_tries'));
    await redeemLink(world.deps, { token, password: PASSWORD });
  });

  it('ends all earlier sessions', async () => {
    const { world, memberId, token } = await createSignedIn();
    const link = changeOnSqlite(
      world.db,
      createLink({ memberId, expiresAt: world.clock.now + HOUR }),
    );
    const again = await redeemLink(world.deps, {
      token: link.token,
      password: OTHER_PASSWORD,
    });
    expect(await Promise.all([emailOf(world, token), emailOf(world, again.session.token)])).toEqual(
      [undefined, CUSTOMER_EMAIL],
    );
    await expect(enter(world)).rejects.toThrow(error('wrong_sign_in'));
    await enter(world, OTHER_PASSWORD);
  });
});

describe('requestLink', () => {
  const ask = ({ deps }: World, email: string, address = ADDRESS, browserToken?: string) =>
    requestLink(deps, { email, address, browserToken, isRegistration: true });

  it('mails a link to a customer only, with the same response for everyone', async () => {
    const world = createWorld({ publicUrl: 'https://search.example.org' }, true);
    addLinkedCustomer(world);
    addLinkedCustomer(world, 'bob@example.org');
    changeOnSqlite(world.db, disableCustomer({ email: 'bob@example.org', now: world.clock.now }));
    for (const email of ['ADA@example.org', 'bob@example.org', 'nobody@example.org']) {
      expect(await ask(world, email)).toBeUndefined();
    }
    await world.deps.background.drain();
    expect(world.mails.map(({ to }) => to)).toEqual([CUSTOMER_EMAIL]);
    const token = /\?token=([\w-]{43})\n/.exec(world.mails[0]?.text ?? '')?.[1] ?? '';
    expect(world.mails[0]?.text).toContain(linkUrl(world.deps.settings, token));
    expect(world.mails[0]?.text).toContain('https://search.example.org/');
    await redeemLink(world.deps, { token, password: PASSWORD });
    expect(rowsOf(world.db, 'SELECT id FROM customers')).toHaveLength(2);
    expect(world.logged).toEqual([]);
  });

  it('creates nobody who has forgotten a password', async () => {
    const world = createWorld({ selfRegistration: true }, true);
    const wish = { email: 'eve@example.org', address: ADDRESS, browserToken: undefined };
    await requestLink(world.deps, { ...wish, isRegistration: false });
    await world.deps.background.drain();
    expect([world.mails, world.writes, world.logged]).toEqual([[], [], []]);
  });

  it('creates a customer without credit and keys if self-registration is on', async () => {
    const world = createWorld({ selfRegistration: true, registrationsMax: 2 }, true);
    for (const name of ['eve', 'zoe', 'mia']) await ask(world, `${name}@example.org`);
    await world.deps.background.drain();
    expect(rowsOf(world.db, 'SELECT email, balance FROM customers')).toEqual([
      ...[
        { email: 'eve@example.org', balance: 0 },
        { email: 'zoe@example.org', balance: 0 },
      ],
    ]);
    expect(world.mails).toHaveLength(2);
    expect(world.logged).toMatchObject([{ event: 'background_task_failed' }]);
  });

  it('keeps the existing link if there is no mail server', async () => {
    const world = createWorld({ selfRegistration: true });
    const { token } = addLinkedCustomer(world);
    for (const name of ['ada', 'eve']) await ask(world, `${name}@example.org`);
    await world.deps.background.drain();
    expect(rowsOf(world.db, 'SELECT email FROM customers')).toHaveLength(2);
    expect(await readLink(world.deps, token)).toEqual({
      email: CUSTOMER_EMAIL,
      needsCode: false,
    });
    expect(rowsOf(world.db, 'SELECT 1 FROM sign_in_links')).toHaveLength(1);
  });

  it('limits requests per network address, for one account and for all', async () => {
    const world = createWorld({ linksPerAccountAndAddressMax: 2, linksPerAddressMax: 4 });
    for (let i = 0; i < 2; i++) await ask(world, CUSTOMER_EMAIL);
    await expect(ask(world, CUSTOMER_EMAIL)).rejects.toThrow(error('too_many_tries'));
    for (let i = 0; i < 2; i++) await ask(world, 'eve@example.org');
    await expect(ask(world, 'zoe@example.org')).rejects.toThrow(error('too_many_tries'));
    await ask(world, 'zoe@example.org', '198.51.100.1');
    await world.deps.background.drain();
  });

  it('is not blocked for the owner by a stranger', async () => {
    const world = createWorld({}, true);
    addLinkedCustomer(world);
    for (let i = 0; i < 20; i++) {
      try {
        await ask(world, CUSTOMER_EMAIL, '203.0.113.66');
      } catch (reason) {
        expect(reason).toMatchObject({ code: 'too_many_tries' });
      }
    }
    await ask(world, CUSTOMER_EMAIL);
    await world.deps.background.drain();
    expect(world.mails).toHaveLength(3 + 1);
  });

  it('limits an account in total, and known browsers separately', async () => {
    const { world, browserToken } = await createSignedIn(
      createWorld({ linksPerAccountMax: 5, linksPerBrowserMax: 2 }, true),
    );
    for (let i = 0; i < 5; i++) await ask(world, CUSTOMER_EMAIL, `203.0.113.${i}`);
    await expect(ask(world, CUSTOMER_EMAIL)).rejects.toThrow(error('too_many_tries'));
    for (let i = 0; i < 2; i++) await ask(world, CUSTOMER_EMAIL, ADDRESS, browserToken);
    await expect(ask(world, CUSTOMER_EMAIL, ADDRESS, browserToken)).rejects.toThrow(
      error('too_many_tries'),
    );
    await world.deps.background.drain();
    expect(world.mails).toHaveLength(7);
  });

  it('limits registrations per network address, not for others', async () => {
    const world = createWorld(
      { selfRegistration: true, registrationsPerAddressMax: 2, registrationsMax: 3 },
      true,
    );
    for (let i = 0; i < 6; i++) await ask(world, `bot${i}@example.org`, '203.0.113.66');
    await ask(world, 'zoe@example.org');
    await world.deps.background.drain();
    expect(world.mails.map(({ to }) => to)).toEqual([
      ...['bot0@example.org', 'bot1@example.org', 'zoe@example.org'],
    ]);
  });

  it.each(['', 'ada', 'ada@example.org\nBcc: eve@example.org', 'ada@example.org, eve@example.org'])(
    'for %j is refused',
    async (email) => {
      await expect(ask(createWorld(), email)).rejects.toThrow(error('bad_request'));
    },
  );

  it('logs a failed mail without the link', async () => {
    const world = createWorld({}, true);
    addLinkedCustomer(world);
    world.deps.sendMail = () => Promise.reject(new Error('no route to the mail server'));
    await ask(world, CUSTOMER_EMAIL);
    await world.deps.background.drain();
    expect(world.logged).toEqual([
      {
        event: 'background_task_failed',
        fields: { task: 'send a link', reason: 'no route to the mail server' },
      },
    ]);
  });
});

describe('the public address', () => {
  it.each([
    ['', 'http://localhost:8080'],
    ['https://search.example.org', 'https://search.example.org'],
    ['https://search.example.org/', 'https://search.example.org'],
    ['http://10.0.0.1:81', 'http://10.0.0.1:81'],
  ])('%j is %s', (publicUrl, expected) => {
    expect(baseUrl({ publicUrl, port: 8080, tlsCertificate: '' })).toBe(expected);
  });

  it('is https if the server speaks TLS', () => {
    const settings = { publicUrl: '', port: 8443, tlsCertificate: 'tls.crt' };
    expect(baseUrl(settings)).toBe('https://localhost:8443');
  });

  it.each([
    ...['search.example.org', 'ftp://example.org', 'https://example.org/papers', 'https://'],
    ...['https://example.org/?a=b', 'javascript:alert(1)'],
  ])('%j is refused', (publicUrl) => {
    const settings = { publicUrl, port: 8080, tlsCertificate: '' };
    expect(() => baseUrl(settings)).toThrow('VERBATIM_PUBLIC_URL must be');
  });
});
