/** A browser that has signed in before: what its cookie is good for, and what it is not. */
import { describe, expect, it } from 'vitest';
import { knownBrowser, mintBrowserToken } from '../../src/accounts/known-browser.ts';
import { redeemLink } from '../../src/accounts/links.ts';
import { changePassword, signOut, signOutEverywhere } from '../../src/accounts/sign-in.ts';
import { disableCustomer, enableCustomer } from '../../src/accounts/sql/disable-customer.ts';
import { createLink } from '../../src/accounts/sql/sign-in-links.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import {
  ADDRESS,
  addLinkedCustomer,
  CUSTOMER_EMAIL,
  createSignedIn,
  createWorld,
  enter,
  OTHER_PASSWORD,
  PASSWORD,
  SLOW_HASHES,
  type World,
} from '../support/account-world.ts';

const DAY = 86_400_000;
const BOB = 'bob@example.org';
const error = (code: string) => expect.objectContaining({ code });

/** A wrong password takes the only attempt of whoever is not known. */
const strict = { triesPerAccountMax: 1, triesPerBrowserMax: 3 };

async function lockOutStrangers(world: World, email = CUSTOMER_EMAIL): Promise<void> {
  await expect(enter(world, 'wrong', email, '203.0.113.66')).rejects.toThrow();
  await expect(enter(world, PASSWORD, email)).rejects.toThrow(error('too_many_tries'));
}

const enterWith = (world: World, browserToken: string, password = PASSWORD) =>
  enter(world, password, CUSTOMER_EMAIL, ADDRESS, browserToken);

describe('a known browser', () => {
  it('signs in after strangers have used up the attempts of the account', async () => {
    const { world, browserToken } = await createSignedIn(createWorld(strict));
    await lockOutStrangers(world);
    const again = await enterWith(world, browserToken);
    await enterWith(world, again.browserToken);
  });

  it('signs in after its network has used up the attempts of its address', async () => {
    const { world, browserToken } = await createSignedIn(createWorld({ triesPerAddressMax: 1 }));
    await expect(enter(world, 'wrong', 'nobody@example.org')).rejects.toThrow();
    await expect(enter(world)).rejects.toThrow(error('too_many_tries'));
    await enterWith(world, browserToken);
  });

  it('has its own attempts, and then those of a stranger', async () => {
    const { world, browserToken } = await createSignedIn(createWorld(strict));
    const codes: unknown[] = [];
    for (let i = 0; i < 6; i++) {
      const code = await enterWith(world, browserToken, 'wrong').catch((reason) => reason.code);
      codes.push(code);
    }
    expect(codes).toEqual([
      ...Array(3 + 1).fill('wrong_sign_in'),
      ...['too_many_tries', 'too_many_tries'],
    ]);
  });

  it('is not delayed by strangers who wait for their hash', async () => {
    const few = { passwordHashesMax: 1, passwordHashesWaitingMax: 2 };
    const { world, browserToken } = await createSignedIn(createWorld({ ...few, ...SLOW_HASHES }));
    const strangers = [0, 1, 2, 3, 4].map((n) =>
      enter(world, 'wrong', CUSTOMER_EMAIL, `203.0.113.${n}`).catch((reason) => reason.code),
    );
    const owner = enterWith(world, browserToken);
    // Whoever comes first, some strangers find their queue full, and the owner does not.
    const codes = await Promise.all(strangers);
    expect(codes.filter((code) => code === 'at_capacity').length).toBeGreaterThanOrEqual(2);
    expect(new Set(codes)).toEqual(new Set(['wrong_sign_in', 'at_capacity']));
    await owner;
  });
});

describe('the token of a known browser', () => {
  const useless: [what: string, make: (token: string, other: string) => string | undefined][] = [
    ['that is absent', () => undefined],
    ['of another customer', (_own, other) => other],
    ['with another nonce', (own) => own.replace(/\.(.)/, (_, a) => `.${a === 'A' ? 'B' : 'A'}`)],
    ['with another time', (own) => `z${own}`],
    ['with another signature', (own) => own.replace(/\.[^.]*$/, `.${'A'.repeat(43)}`)],
    ['without a signature', (own) => own.replace(/[^.]*$/, '')],
    ['that is made up', () => `mabc123.${'A'.repeat(22)}.${'A'.repeat(43)}`],
    ['that was signed with an empty secret', () => mintBrowserToken(new Uint8Array(), 0)],
    ['of the customer’s session', (own) => own.slice(-43)],
  ];
  it.each(useless)('%s makes no browser known', async (_what, make) => {
    const { world, browserToken } = await createSignedIn(createWorld(strict));
    const { token } = addLinkedCustomer(world, BOB);
    const bob = await redeemLink(world.deps, { token, password: OTHER_PASSWORD });
    await lockOutStrangers(world);
    const presented = make(browserToken, bob.browser.token);
    await expect(enter(world, PASSWORD, CUSTOMER_EMAIL, ADDRESS, presented)).rejects.toThrow(
      error('too_many_tries'),
    );
  });

  const ended: [what: string, end: (input: Ending) => unknown][] = [
    [
      'a change of the password',
      ({ world, memberId, token }) =>
        changePassword(world.deps, {
          memberId,
          email: CUSTOMER_EMAIL,
          password: PASSWORD,
          sessionToken: token,
          newPassword: OTHER_PASSWORD,
        }),
    ],
    ['signing out everywhere', ({ world, memberId }) => signOutEverywhere(world.deps, memberId)],
    [
      'a password that was chosen by a link',
      ({ world, memberId }) => {
        const { token } = changeOnSqlite(
          world.db,
          createLink({ memberId, expiresAt: world.clock.now + DAY }),
        );
        return redeemLink(world.deps, { token, password: OTHER_PASSWORD });
      },
    ],
    [
      'disabling the customer',
      ({ world: { db, clock } }) => {
        changeOnSqlite(db, disableCustomer({ email: CUSTOMER_EMAIL, now: clock.now }));
        changeOnSqlite(db, enableCustomer({ email: CUSTOMER_EMAIL }));
      },
    ],
    ['its time', ({ world }) => (world.clock.now += 180 * DAY)],
  ];
  it.each(ended)('ends with %s', async (_what, end) => {
    const signedIn = await createSignedIn(createWorld(strict));
    const { world, browserToken } = signedIn;
    await end(signedIn);
    await expect(enter(world, 'wrong', CUSTOMER_EMAIL, '203.0.113.66')).rejects.toThrow();
    for (const password of [PASSWORD, OTHER_PASSWORD]) {
      await expect(enterWith(world, browserToken, password)).rejects.toThrow(
        error('too_many_tries'),
      );
    }
  });

  it('survives signing out and a restart, and is not a session', async () => {
    const { world, token, browserToken } = await createSignedIn(createWorld(strict));
    await signOut(world.deps, token);
    await lockOutStrangers(world);
    await enterWith(world, browserToken);
    const { browserKey } = world.db
      .prepare('SELECT browser_key AS browserKey FROM members')
      .get() as {
      browserKey: Uint8Array;
    };
    expect(browserKey).toHaveLength(32);
    const { now } = world.clock;
    expect(knownBrowser(browserToken, { key: browserKey, lifetimeMs: DAY, now })).toBeDefined();
    expect(world.db.serialize().includes(browserToken)).toBe(false);
  });
});

interface Ending {
  world: World;
  memberId: number;
  token: string;
}

describe('guesses for one account', () => {
  it('from many addresses stay limited, also per hour', async () => {
    const { world } = await createSignedIn(createWorld());
    // Every guess comes from an address that was never seen before.
    let tested = 0;
    world.deps.hasher.verify = async () => {
      tested++;
      return false;
    };
    for (let second = 0; second < 3_600; second++) {
      const address = `10.1.${second >> 8}.${second & 255}`;
      await enter(world, `guess ${second}`, CUSTOMER_EMAIL, address).catch(() => {});
      world.clock.now += 1_000;
    }
    const { triesPerAccountMax, throttleMinutes } = world.deps.settings;
    expect(tested).toBeLessThanOrEqual(triesPerAccountMax * (1 + 60 / throttleMinutes));
    expect(tested).toBeGreaterThanOrEqual(triesPerAccountMax);
  });
});

describe('the password of the account page', () => {
  it('is not blocked by strangers who guess', async () => {
    const { world, memberId, token } = await createSignedIn(createWorld(strict));
    await lockOutStrangers(world);
    await changePassword(world.deps, {
      memberId,
      email: CUSTOMER_EMAIL,
      password: PASSWORD,
      sessionToken: token,
      newPassword: OTHER_PASSWORD,
    });
  });
});
