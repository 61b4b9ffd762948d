/** In by a password, and out: every refusal, and what each step does to sessions. */
import { randomBytes, scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readLink, redeemLink } from '../../src/accounts/links.ts';
import {
  changePassword,
  readSession,
  requireSession,
  signOut,
  signOutEverywhere,
} from '../../src/accounts/sign-in.ts';
import { disableCustomer, enableCustomer } from '../../src/accounts/sql/disable-customer.ts';
import { createLink } from '../../src/accounts/sql/sign-in-links.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import {
  addLinkedCustomer,
  CUSTOMER_EMAIL,
  createSignedIn,
  createWorld,
  emailOf,
  enter,
  OTHER_PASSWORD,
  PASSWORD,
  SLOW_HASHES,
  type World,
} from '../support/account-world.ts';
import { rowsOf } from '../support/accounts.ts';

const HOUR = 3_600_000;

const error = (code: string) => expect.objectContaining({ code });

/** What came of each attempt: `in`, or the code of the refusal. */
async function codesOf(attempts: readonly Promise<unknown>[]): Promise<string[]> {
  return (await Promise.allSettled(attempts)).map((one) =>
    one.status === 'rejected' ? String(one.reason.code) : 'in',
  );
}

describe('a database', () => {
  it('contains no token and no password', async () => {
    const { world, token } = await createSignedIn();
    const { token: link } = addLinkedCustomer(world, 'bob@example.org');
    const bytes = world.db.serialize();
    for (const secret of [token, link, PASSWORD]) expect(bytes.includes(secret)).toBe(false);
    expect(bytes.includes('$scrypt$ln=4,r=8,p=3$')).toBe(true);
  });
});

describe('signing in', () => {
  it('accepts the address in any case and creates a new token each time', async () => {
    const { world, token } = await createSignedIn();
    const tokens = [token];
    for (const email of [CUSTOMER_EMAIL, ' ADA@Example.org ']) {
      tokens.push((await enter(world, PASSWORD, email)).token);
    }
    expect(new Set(tokens).size).toBe(3);
    expect(await Promise.all(tokens.map((one) => emailOf(world, one)))).toEqual([
      CUSTOMER_EMAIL,
      CUSTOMER_EMAIL,
      CUSTOMER_EMAIL,
    ]);
  });

  it('never reuses an existing token for a session', async () => {
    const { world, token } = await createSignedIn();
    const planted = 'A'.repeat(43);
    const { token: fresh } = await enter(world);
    expect(fresh).not.toBe(planted);
    expect(await Promise.all([emailOf(world, planted), emailOf(world, token)])).toEqual([
      undefined,
      CUSTOMER_EMAIL,
    ]);
  });

  it('fails alike for every cause, after one hash', async () => {
    const { world } = await createSignedIn();
    addLinkedCustomer(world, 'bob@example.org');
    const verified: (string | null)[] = [];
    const { hasher } = world.deps;
    world.deps.hasher = {
      ...hasher,
      verify(password, stored) {
        verified.push(stored);
        return hasher.verify(password, stored);
      },
    };
    const messages: string[] = [];
    for (const email of [
      CUSTOMER_EMAIL,
      'bob@example.org',
      'nobody@example.org',
      'no address',
      '',
    ]) {
      const refusal = await enter(world, 'wrong password', email).catch((reason: Error) => reason);
      expect(refusal).toMatchObject({ code: 'wrong_sign_in', status: 401 });
      messages.push((refusal as Error).message);
    }
    expect(new Set(messages).size).toBe(1);
    expect(verified).toEqual([expect.stringMatching(/^\$scrypt/), null, null, null, null]);
  });

  it('reveals a disabled account only after the right password', async () => {
    const { world, token } = await createSignedIn();
    changeOnSqlite(world.db, disableCustomer({ email: CUSTOMER_EMAIL, now: world.clock.now }));
    expect(await emailOf(world, token)).toBeUndefined();
    await expect(enter(world, 'wrong password')).rejects.toThrow(error('wrong_sign_in'));
    await expect(enter(world)).rejects.toThrow(error('customer_disabled'));
    changeOnSqlite(world.db, enableCustomer({ email: CUSTOMER_EMAIL }));
    expect(await emailOf(world, token)).toBeUndefined();
    expect(await emailOf(world, (await enter(world)).token)).toBe(CUSTOMER_EMAIL);
  });

  it('fails if the customer is disabled or the password changes during the hash', async () => {
    const { world, memberId } = await createSignedIn();
    const entering = enter(world);
    changeOnSqlite(world.db, disableCustomer({ email: CUSTOMER_EMAIL, now: world.clock.now }));
    await expect(entering).rejects.toThrow(error('wrong_sign_in'));
    changeOnSqlite(world.db, enableCustomer({ email: CUSTOMER_EMAIL }));
    const again = enter(world);
    world.db.exec(`UPDATE members SET password_hash = 'another' WHERE id = ${memberId}`);
    await expect(again).rejects.toThrow(error('wrong_sign_in'));
    expect(rowsOf(world.db, 'SELECT 1 FROM sessions')).toEqual([]);
  });

  it('is throttled by account, whether or not it exists', async () => {
    const { world } = await createSignedIn(createWorld({ triesPerAccountMax: 2 }));
    for (const email of [CUSTOMER_EMAIL, 'nobody@example.org']) {
      const attempts = ['1', '2', '3'].map((last) =>
        enter(world, 'wrong', email, `192.0.2.${last}`),
      );
      expect(await codesOf(attempts)).toEqual(['wrong_sign_in', 'wrong_sign_in', 'too_many_tries']);
    }
    await expect(enter(world)).rejects.toThrow(error('too_many_tries'));
    world.clock.now += HOUR / 8;
    await enter(world);
  });

  it('is throttled by account and network address, for that address only', async () => {
    const { world } = await createSignedIn(createWorld({ triesPerAccountAndAddressMax: 2 }));
    const attempts = [1, 2, 3].map(() => enter(world, 'wrong'));
    expect(await codesOf(attempts)).toEqual(['wrong_sign_in', 'wrong_sign_in', 'too_many_tries']);
    await expect(enter(world)).rejects.toThrow(error('too_many_tries'));
    await enter(world, PASSWORD, CUSTOMER_EMAIL, '198.51.100.1');
  });

  it('is throttled by network address, over all accounts', async () => {
    const { world } = await createSignedIn(createWorld({ triesPerAddressMax: 2 }));
    for (const name of ['eve', 'bob']) {
      const entering = enter(world, 'wrong', `${name}@example.org`);
      await expect(entering).rejects.toThrow(error('wrong_sign_in'));
    }
    await expect(enter(world)).rejects.toThrow(error('too_many_tries'));
    await enter(world, PASSWORD, CUSTOMER_EMAIL, '198.51.100.1');
  });

  it('that is throttled uses no attempt of the account', async () => {
    const bounds = { triesPerAddressMax: 1, triesPerAccountMax: 3 };
    const { world } = await createSignedIn(createWorld(bounds));
    const codes = await codesOf([1, 2, 3, 4, 5, 6].map(() => enter(world, 'wrong')));
    expect(codes).toEqual(['wrong_sign_in', ...Array(5).fill('too_many_tries')]);
    await expect(enter(world, 'wrong', CUSTOMER_EMAIL, '192.0.2.8')).rejects.toThrow(
      error('wrong_sign_in'),
    );
    await enter(world, PASSWORD, CUSTOMER_EMAIL, '192.0.2.9');
  });

  it('with the right password uses no attempt', async () => {
    const { world } = await createSignedIn(createWorld({ triesPerAccountMax: 1 }));
    for (let i = 0; i < 3; i++) await enter(world);
  });

  it('returns at_capacity if too many passwords wait for their hash', async () => {
    const few = { passwordHashesMax: 1, passwordHashesWaitingMax: 1, triesPerAccountMax: 3 };
    const { world } = await createSignedIn(createWorld({ ...few, ...SLOW_HASHES }));
    for (let round = 0; round < 3; round++) {
      const codes = await codesOf([enter(world), enter(world), enter(world)]);
      // A refusal uses no attempt up: the last round has as many as the first.
      expect(codes).toEqual(['in', 'in', 'at_capacity']);
    }
    await enter(world);
  });

  /** Stores a hash with outdated parameters. */
  function storeOldHash({ world, memberId }: Awaited<ReturnType<typeof createSignedIn>>): void {
    const salt = randomBytes(16);
    const old = scryptSync(PASSWORD, salt, 32, { N: 2 ** 14, r: 8, p: 1 }).toString('base64');
    const stored = `$scrypt$ln=14,r=8,p=1$${salt.toString('base64')}$${old}`;
    world.db.exec(`UPDATE members SET password_hash = '${stored}' WHERE id = ${memberId}`);
  }

  it('succeeds while another one renews the hash', async () => {
    const signedIn = await createSignedIn();
    storeOldHash(signedIn);
    const { world } = signedIn;
    const { hasher, background } = world.deps;
    let hasOther = false;
    world.deps.hasher = {
      ...hasher,
      async verify(...attempt) {
        const isRight = await hasher.verify(...attempt);
        if (!hasOther) {
          hasOther = true;
          await enter(world);
          await background.drain();
        }
        return isRight;
      },
    };
    await enter(world);
  });

  it('renews a hash with outdated parameters, and the password stays valid', async () => {
    const signedIn = await createSignedIn();
    storeOldHash(signedIn);
    const { world } = signedIn;
    await enter(world);
    await world.deps.background.drain();
    const [row] = rowsOf(world.db, 'SELECT password_hash AS hash FROM members') as {
      hash: string;
    }[];
    expect(row?.hash).toMatch(/^\$scrypt\$ln=4,r=8,p=3\$/);
    world.writes.length = 0;
    await enter(world);
    await world.deps.background.drain();
    expect(world.writes).toEqual(['startSession']);
  });
});

describe('a session', () => {
  it('ends after a day without use, or after a week', async () => {
    const { world, token } = await createSignedIn();
    const { clock, deps } = world;
    clock.now += 24 * HOUR - 1;
    expect(await emailOf(world, token)).toBe(CUSTOMER_EMAIL);
    await deps.background.drain();
    for (let day = 1; day < 7; day++) {
      expect(await emailOf(world, token), `day ${day}`).toBe(CUSTOMER_EMAIL);
      await deps.background.drain();
      clock.now += day < 6 ? 24 * HOUR - 1 : 0;
    }
    clock.now += 24 * HOUR;
    expect(await emailOf(world, token)).toBeUndefined();
    await expect(requireSession(deps, token)).rejects.toThrow(error('signed_out'));
    const { token: idle } = await enter(world);
    clock.now += 24 * HOUR;
    expect(await emailOf(world, idle)).toBeUndefined();
  });

  it('records its use at most once per minute', async () => {
    const { world, token } = await createSignedIn();
    const seen = () => world.writes.filter((name) => name === 'touchSession').length;
    for (const [seconds, notes] of [
      ...[
        [0, 0],
        [59, 0],
        [1, 1],
        [0, 1],
        [30, 1],
        [60, 2],
      ],
    ] as [number, number][]) {
      world.clock.now += seconds * 1000;
      await readSession(world.deps, token);
      await world.deps.background.drain();
      expect(seen()).toBe(notes);
    }
  });

  it('is limited per customer: the least recently used one ends first', async () => {
    const { world, token } = await createSignedIn(createWorld({ sessionsPerMemberMax: 2 }));
    world.clock.now += 1;
    const { token: second } = await enter(world);
    world.clock.now += 1;
    const { token: third } = await enter(world);
    expect(await Promise.all([token, second, third].map((one) => emailOf(world, one)))).toEqual([
      ...[undefined, CUSTOMER_EMAIL, CUSTOMER_EMAIL],
    ]);
  });

  it('cannot be forged', async () => {
    const { world, token } = await createSignedIn();
    const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    for (const made of [undefined, '', changed, 'A'.repeat(43), "' OR 1 = 1 --"]) {
      expect(await readSession(world.deps, made)).toBeUndefined();
    }
  });

  it('ends with signing out, and others stay', async () => {
    const { world, token } = await createSignedIn();
    const { token: other } = await enter(world);
    await signOut(world.deps, token);
    await signOut(world.deps, token);
    expect(await Promise.all([emailOf(world, token), emailOf(world, other)])).toEqual([
      undefined,
      CUSTOMER_EMAIL,
    ]);
  });

  it('ends with signing out everywhere, for that customer only', async () => {
    const { world, memberId, token } = await createSignedIn();
    const { token: link } = addLinkedCustomer(world, 'bob@example.org');
    const { session } = await redeemLink(world.deps, { token: link, password: OTHER_PASSWORD });
    await enter(world);
    expect(await signOutEverywhere(world.deps, memberId)).toBe(2);
    expect(await Promise.all([emailOf(world, token), emailOf(world, session.token)])).toEqual([
      undefined,
      'bob@example.org',
    ]);
  });
});

describe('changing the password', () => {
  const change = async (
    { world, memberId, token }: { world: World; memberId: number; token: string },
    password: string,
    newPassword: string,
  ) => {
    const { session, browser } = await changePassword(world.deps, {
      memberId,
      email: CUSTOMER_EMAIL,
      password,
      newPassword,
      sessionToken: token,
    });
    return { token: session.token, browserToken: browser.token };
  };

  it('ends all sessions and starts a new one', async () => {
    const { world, memberId, token } = await createSignedIn();
    const { token: other } = await enter(world);
    const link = changeOnSqlite(
      world.db,
      createLink({ memberId, expiresAt: world.clock.now + HOUR }),
    );
    const { token: fresh } = await change({ world, memberId, token }, PASSWORD, OTHER_PASSWORD);
    expect(await Promise.all([token, other, fresh].map((one) => emailOf(world, one)))).toEqual([
      ...[undefined, undefined, CUSTOMER_EMAIL],
    ]);
    await expect(readLink(world.deps, link.token)).rejects.toThrow(error('link_over'));
    await expect(enter(world)).rejects.toThrow(error('wrong_sign_in'));
    await enter(world, OTHER_PASSWORD);
  });

  it('requires the old password, is throttled, and rejects a weak one; sessions stay', async () => {
    const signedIn = await createSignedIn(createWorld({ triesPerBrowserMax: 2 }));
    const { world, token } = signedIn;
    await expect(change(signedIn, PASSWORD, 'short')).rejects.toThrow(error('weak_password'));
    for (const code of ['wrong_sign_in', 'wrong_sign_in', 'too_many_tries']) {
      await expect(change(signedIn, 'wrong', OTHER_PASSWORD)).rejects.toThrow(error(code));
    }
    expect(await emailOf(world, token)).toBe(CUSTOMER_EMAIL);
  });
});
