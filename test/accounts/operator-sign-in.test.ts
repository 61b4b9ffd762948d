/** Operators' sign-in with a clock: what ends by itself, and how long guessing takes. */
import { describe, expect, it } from 'vitest';
import {
  enrollmentSecret,
  enrollOperator,
  readOperatorLink,
} from '../../src/accounts/operator-account.ts';
import {
  confirmOperator,
  readOperatorSession,
  signInOperator,
} from '../../src/accounts/operator-sign-in.ts';
import { addOperator } from '../../src/accounts/sql/operators.ts';
import { codeAt, stepAt } from '../../src/accounts/totp.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { ADDRESS, createWorld, PASSWORD } from '../support/account-world.ts';

const EMAIL = 'root@example.org';
const COOKIE = 'c'.repeat(43);
const MINUTE = 60_000;
const error = (code: string) => expect.objectContaining({ code });

async function createEnrolled(overrides: Parameters<typeof createWorld>[0] = {}) {
  const world = createWorld(overrides);
  const { deps, db, clock } = world;
  const linkExpiresAt = clock.now + MINUTE;
  const { link } = changeOnSqlite(db, addOperator({ email: EMAIL, linkExpiresAt, now: clock.now }));
  const secret = enrollmentSecret(deps, link.token, COOKIE);
  const code = (): string => codeAt(secret, stepAt(clock.now));
  const browser = { address: ADDRESS, cookieToken: COOKIE, device: 'Firefox on Linux' };
  const form = { ...browser, token: link.token, password: PASSWORD, code: code() };
  const enrolled = await enrollOperator(deps, form);
  clock.now += MINUTE;
  const sign = (fields: object = {}) =>
    signInOperator(deps, {
      email: EMAIL,
      password: PASSWORD,
      code: code(),
      address: ADDRESS,
      ...fields,
    });
  return { ...world, enrolled, code, sign, link: link.token };
}

describe('a session of an operator', () => {
  it('ends when it is idle, and after its lifetime however much it is used', async () => {
    const limits = { operatorSessionHoursMax: 2, operatorSessionIdleMinutesMax: 30 };
    const { deps, clock, sign } = await createEnrolled(limits);
    const { session } = await sign();
    expect(session.maxAgeSeconds).toBe(7_200);
    const isOpen = async () => {
      const found = await readOperatorSession(deps, session.token);
      await deps.background.drain();
      return found !== undefined;
    };
    for (let minutes = 0; minutes < 119; minutes += 29) {
      expect(await isOpen(), String(minutes)).toBe(true);
      clock.now += 29 * MINUTE;
    }
    expect(await isOpen()).toBe(false);
    const { session: idle } = await sign();
    clock.now += 30 * MINUTE;
    expect(await readOperatorSession(deps, idle.token)).toBeUndefined();
  });

  it('is none without a token', async () => {
    const { deps } = await createEnrolled();
    expect(await readOperatorSession(deps, undefined)).toBeUndefined();
  });
});

describe('a link of an operator', () => {
  it('ends, and is used once', async () => {
    const { deps, link, clock, db } = await createEnrolled();
    await expect(readOperatorLink(deps, link)).rejects.toThrow(error('link_over'));
    const linkExpiresAt = clock.now + MINUTE;
    const input = { email: 'late@example.org', linkExpiresAt, now: clock.now };
    const { token } = changeOnSqlite(db, addOperator(input)).link;
    clock.now += MINUTE;
    await expect(readOperatorLink(deps, token)).rejects.toThrow(error('link_over'));
  });

  it('has a secret of its own in each browser, and at each start of the server', async () => {
    const { deps } = await createEnrolled();
    const other = createWorld().deps;
    const secrets = [
      enrollmentSecret(deps, 'link', COOKIE),
      enrollmentSecret(deps, 'link', 'd'.repeat(43)),
      enrollmentSecret(deps, 'other', COOKIE),
      enrollmentSecret(other, 'link', COOKIE),
    ].map((secret) => Buffer.from(secret).toString('hex'));
    expect(new Set(secrets).size).toBe(4);
    expect(enrollmentSecret(deps, 'link', COOKIE)).toHaveLength(20);
  });
});

describe('guessing', () => {
  it('codes with the password ends after ten, from all addresses together, for 15 minutes', async () => {
    const { sign, enrolled, clock } = await createEnrolled();
    for (let guess = 0; guess < 10; guess++) {
      const wrong = sign({ code: '000000', address: `192.0.2.${guess}` });
      await expect(wrong).rejects.toThrow(error('wrong_sign_in'));
    }
    await expect(sign({ address: '198.51.100.1' })).rejects.toThrow(error('too_many_tries'));
    // The owner's browser is known.
    await sign({ browserToken: enrolled.browser.token });
    clock.now += 15 * MINUTE;
    await sign();
  });

  it('passwords from one address ends after ten, whoever is asked for', async () => {
    const { sign } = await createEnrolled();
    for (const email of [EMAIL, 'nobody@example.org']) {
      for (let guess = 0; guess < 10; guess++) {
        const wrong = sign({ email, password: 'wrong' });
        await expect(wrong).rejects.toThrow(error('wrong_sign_in'));
      }
      await expect(sign({ email })).rejects.toThrow(error('too_many_tries'));
    }
  });

  it('does as much for an unknown address as for a known one', async () => {
    const { deps, sign } = await createEnrolled();
    const hashed: (string | null)[] = [];
    const { verify } = deps.hasher;
    deps.hasher.verify = (password, stored, queue) => {
      hashed.push(queue ?? null);
      return verify(password, stored, queue);
    };
    for (const email of [EMAIL, 'nobody@example.org']) {
      await expect(sign({ email, password: 'wrong' })).rejects.toThrow(error('wrong_sign_in'));
    }
    expect(hashed).toEqual(['strangers', 'strangers']);
  });

  it('the present password ends within a session, and uses no attempt of the sign-in', async () => {
    const { deps, sign, enrolled } = await createEnrolled();
    const present = { operatorId: enrolled.operatorId, token: 't', address: ADDRESS, device: '' };
    for (let guess = 0; guess < 10; guess++) {
      const wrong = confirmOperator(deps, present, 'wrong');
      await expect(wrong).rejects.toThrow(error('wrong_sign_in'));
    }
    const right = confirmOperator(deps, present, PASSWORD);
    await expect(right).rejects.toThrow(error('too_many_tries'));
    await sign();
  });
});
