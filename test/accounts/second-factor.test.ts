/** Two-step sign-in: what it asks for, what it refuses, and that no way leads around it. */
import { describe, expect, it } from 'vitest';
import { readLink, redeemLink } from '../../src/accounts/links.ts';
import {
  disableSecondFactor,
  enableSecondFactor,
  hasSecondFactor,
  mintSecret,
  renewRecoveryCodes,
  useSecondFactor,
} from '../../src/accounts/second-factor.ts';
import {
  changePassword,
  confirmPassword,
  type SignInWithCode,
  signIn,
  signInWithCode,
} from '../../src/accounts/sign-in.ts';
import { createLink } from '../../src/accounts/sql/sign-in-links.ts';
import { codeAt, stepAt } from '../../src/accounts/totp.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import {
  ADDRESS,
  CUSTOMER_EMAIL,
  createSignedIn,
  createWorld,
  emailOf,
  OTHER_PASSWORD,
  PASSWORD,
  type World,
} from '../support/account-world.ts';

const COOKIE = 'c'.repeat(43);
const STEP = 30_000;
const error = (code: string) => expect.objectContaining({ code });

/** Somebody with an app, signed in where they turned it on. */
async function createEnrolled(world: World = createWorld()) {
  const signedIn = await createSignedIn(world);
  const secret = mintSecret();
  const code = (skew = 0) => codeAt(secret, stepAt(world.clock.now) + skew);
  const typed = (text: string, address = ADDRESS) => ({ code: text, address });
  const codes = await enableSecondFactor(world.deps, {
    email: CUSTOMER_EMAIL,
    secret,
    typed: typed(code()),
    keep: signedIn.token,
  });
  // The code that proved the app is used.
  world.clock.now += STEP;
  return { ...signedIn, secret, code, typed, codes };
}

/** The first step, from a browser with a cookie. */
async function givePassword({ deps }: World, cookieToken = COOKIE): Promise<string> {
  const input = { email: CUSTOMER_EMAIL, password: PASSWORD, address: ADDRESS, cookieToken };
  const result = await signIn(deps, input);
  if (!('pending' in result)) throw new Error('no code was asked for');
  return result.pending;
}

/** The second one. */
function giveCode({ deps }: World, input: Partial<SignInWithCode> & { pending: string }) {
  return signInWithCode(deps, { address: ADDRESS, cookieToken: COOKIE, code: '', ...input });
}

describe('signing in with a second factor', () => {
  it('takes the password and then a code', async () => {
    const { world, code } = await createEnrolled();
    const pending = await givePassword(world);
    const { session } = await giveCode(world, {
      pending,
      code: ` ${code().slice(0, 3)} ${code().slice(3)}`,
    });
    expect(await emailOf(world, session.token)).toBe(CUSTOMER_EMAIL);
  });

  it('takes each code once, of two at once, too', async () => {
    const { world, code } = await createEnrolled();
    const pending = await givePassword(world);
    const both = await Promise.allSettled(
      [1, 2].map(() => giveCode(world, { pending, code: code() })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(giveCode(world, { pending, code: code() })).rejects.toThrow(error('wrong_code'));
    await expect(giveCode(world, { pending, code: code(-1) })).rejects.toThrow(error('wrong_code'));
    await giveCode(world, { pending, code: code(1) });
  });

  it('takes each recovery code once', async () => {
    const { world, codes } = await createEnrolled();
    const pending = await givePassword(world);
    const [first = '', second = ''] = codes;
    await giveCode(world, { pending, code: first.toUpperCase() });
    await expect(giveCode(world, { pending, code: first })).rejects.toThrow(error('wrong_code'));
    await giveCode(world, { pending, code: second.replaceAll('-', ' ') });
    const left = (await world.deps.store.findSecondFactor(CUSTOMER_EMAIL))?.recoveryCodesLeft;
    expect(left).toBe(8);
  });

  it('refuses without a code, and with a wrong one', async () => {
    const { world, secret } = await createEnrolled();
    const pending = await givePassword(world);
    await expect(giveCode(world, { pending })).rejects.toThrow(error('second_factor_needed'));
    const late = codeAt(secret, stepAt(world.clock.now) - 2);
    for (const code of [late, '000000x', 'aaaa-bbbb-cccc', "' OR 1 = 1", 'x'.repeat(10_000)]) {
      await expect(giveCode(world, { pending, code })).rejects.toThrow(error('wrong_code'));
    }
  });

  it('goes on only in the browser that gave the password, for a while', async () => {
    const { world, code } = await createEnrolled();
    const pending = await givePassword(world);
    const [email = '', expires = '', signature = ''] = pending.split('.');
    const forged = [
      { pending, cookieToken: 'd'.repeat(43) },
      { pending, cookieToken: undefined },
      { pending: '' },
      { pending: `${email}.${expires}z.${signature}` },
      {
        pending: `${Buffer.from('bob@example.org').toString('base64url')}.${expires}.${signature}`,
      },
      { pending: `${email}.${expires}.${'A'.repeat(43)}` },
    ];
    for (const input of forged) {
      const entering = giveCode(world, { ...input, code: code() });
      await expect(entering).rejects.toThrow(error('sign_in_over'));
    }
    world.clock.now += world.deps.settings.signInCodeMs;
    await expect(giveCode(world, { pending, code: code() })).rejects.toThrow(error('sign_in_over'));
  });

  it('starts again if the password changes between the steps', async () => {
    const { world, memberId, token, code } = await createEnrolled();
    const pending = await givePassword(world);
    await changePassword(world.deps, {
      memberId,
      email: CUSTOMER_EMAIL,
      password: PASSWORD,
      newPassword: OTHER_PASSWORD,
      sessionToken: token,
    });
    await expect(giveCode(world, { pending, code: code() })).rejects.toThrow(error('sign_in_over'));
  });

  it('has few attempts for all addresses together, which return with time', async () => {
    const { world, code } = await createEnrolled();
    const pending = await givePassword(world);
    const { codesPerAccountMax, throttleMinutes } = world.deps.settings;
    for (let guess = 0; guess < codesPerAccountMax; guess++) {
      const wrong = giveCode(world, { pending, code: '000000x', address: `192.0.2.${guess}` });
      await expect(wrong).rejects.toThrow(error('wrong_code'));
    }
    const right = { pending, code: code(), address: '198.51.100.9' };
    await expect(giveCode(world, right)).rejects.toThrow(error('too_many_tries'));
    world.clock.now += (throttleMinutes * 60_000) / codesPerAccountMax;
    const again = { pending: await givePassword(world), code: code(), address: '198.51.100.9' };
    await giveCode(world, again);
  });

  it('leaves a known browser its own attempts', async () => {
    const { world, browserToken, code } = await createEnrolled();
    const pending = await givePassword(world);
    for (let guess = 0; guess < world.deps.settings.codesPerAccountMax; guess++) {
      await giveCode(world, { pending, code: 'wrong' }).catch(() => {});
    }
    await giveCode(world, { pending, code: code(), browserToken });
  });

  it('no longer asks once it is off, even in the second step', async () => {
    const { world, code, typed } = await createEnrolled();
    const pending = await givePassword(world);
    await disableSecondFactor(world.deps, CUSTOMER_EMAIL, typed(code()));
    const { session } = await giveCode(world, { pending, code: '' });
    expect(await emailOf(world, session.token)).toBe(CUSTOMER_EMAIL);
  });

  it('renews an outdated hash before the second step, which goes on', async () => {
    const { world, code } = await createEnrolled();
    const { hasher } = world.deps;
    world.deps.hasher = { ...hasher, isOutdated: () => true };
    const pending = await givePassword(world);
    expect(world.writes).toContain('renewHash');
    await giveCode(world, { pending, code: code() });
  });
});

describe('a link', () => {
  it('sets a password only with a code, and stays valid until then', async () => {
    const { world, memberId, code, typed } = await createEnrolled();
    const expiresAt = world.clock.now + 60_000;
    const { token } = changeOnSqlite(world.db, createLink({ memberId, expiresAt }));
    expect(await readLink(world.deps, token)).toEqual({ email: CUSTOMER_EMAIL, needsCode: true });
    const link = { token, password: OTHER_PASSWORD };
    for (const [fields, refusal] of [
      [{}, 'second_factor_needed'],
      [typed(''), 'second_factor_needed'],
      [typed('000000x'), 'wrong_code'],
    ] as const) {
      const redeeming = redeemLink(world.deps, { ...link, ...fields });
      await expect(redeeming).rejects.toThrow(error(refusal));
    }
    const { session } = await redeemLink(world.deps, { ...link, ...typed(code()) });
    expect(await emailOf(world, session.token)).toBe(CUSTOMER_EMAIL);
  });

  it('does not use up a code when the password is weak', async () => {
    const { world, memberId, code, typed } = await createEnrolled();
    const expiresAt = world.clock.now + 60_000;
    const { token } = changeOnSqlite(world.db, createLink({ memberId, expiresAt }));
    const weak = redeemLink(world.deps, { token, password: 'short', ...typed(code()) });
    await expect(weak).rejects.toThrow(error('weak_password'));
    await redeemLink(world.deps, { token, password: OTHER_PASSWORD, ...typed(code()) });
  });
});

describe('turning a second factor on', () => {
  it('signs out all other sessions', async () => {
    const world = createWorld();
    const { token } = await createSignedIn(world);
    const elsewhere = await signIn(world.deps, {
      email: CUSTOMER_EMAIL,
      password: PASSWORD,
      address: ADDRESS,
    });
    const other = 'session' in elsewhere ? elsewhere.session.token : '';
    const secret = mintSecret();
    const typed = { code: codeAt(secret, stepAt(world.clock.now)), address: ADDRESS };
    const input = { email: CUSTOMER_EMAIL, secret, typed, keep: token };
    await enableSecondFactor(world.deps, input);
    expect([await emailOf(world, token), await emailOf(world, other)]).toEqual([
      CUSTOMER_EMAIL,
      undefined,
    ]);
    await expect(enableSecondFactor(world.deps, input)).rejects.toThrow(error('second_factor_on'));
  });

  it('needs a code of the app', async () => {
    const world = createWorld();
    await createSignedIn(world);
    const typed = { code: '000000x', address: ADDRESS };
    const input = { email: CUSTOMER_EMAIL, secret: mintSecret(), typed };
    await expect(enableSecondFactor(world.deps, input)).rejects.toThrow(error('wrong_code'));
    expect(await hasSecondFactor(world.deps, CUSTOMER_EMAIL)).toBe(false);
  });

  it('works for an address that is no customer, such as an operator', async () => {
    const world = createWorld();
    const email = 'operator@example.org';
    const secret = mintSecret();
    const code = (skew = 0) => codeAt(secret, stepAt(world.clock.now) + skew);
    const typed = (text: string) => ({ code: text, address: ADDRESS });
    await useSecondFactor(world.deps, email, undefined);
    await enableSecondFactor(world.deps, { email, secret, typed: typed(code()) });
    await expect(useSecondFactor(world.deps, email, undefined)).rejects.toThrow(
      error('second_factor_needed'),
    );
    await useSecondFactor(world.deps, email, typed(code(1)));
  });
});

describe('recovery codes', () => {
  it('are replaced after a code, and the earlier ones end', async () => {
    const { world, codes, typed } = await createEnrolled();
    const [first = '', second = ''] = codes;
    const renewed = await renewRecoveryCodes(world.deps, CUSTOMER_EMAIL, typed(first));
    const pending = await givePassword(world);
    await expect(giveCode(world, { pending, code: second })).rejects.toThrow(error('wrong_code'));
    await giveCode(world, { pending, code: renewed[0] ?? '' });
  });
});

it('no database file contains a recovery code', async () => {
  const { world, codes } = await createEnrolled();
  const bytes = world.db.serialize();
  for (const code of codes) expect(bytes.includes(code)).toBe(false);
});

it('a password is confirmed within a session, with attempts of its own', async () => {
  const { world, memberId, token } = await createEnrolled();
  const confirm = (password: string) =>
    confirmPassword(world.deps, { memberId, password, sessionToken: token });
  await confirm(PASSWORD);
  for (let guess = 0; guess < world.deps.settings.triesPerBrowserMax; guess++) {
    await expect(confirm('wrong')).rejects.toThrow(error('wrong_sign_in'));
  }
  await expect(confirm(PASSWORD)).rejects.toThrow(error('too_many_tries'));
});
