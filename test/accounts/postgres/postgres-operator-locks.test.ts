/** Operators on PostgreSQL: what decides when two of their transactions meet at any statement. */
import { describe, expect, it } from 'vitest';
import { readBalance } from '../../../src/accounts/sql/customers.ts';
import { addFirstCustomer } from '../../../src/accounts/sql/insert-first-customer.ts';
import { keepAudit } from '../../../src/accounts/sql/kept-audits.ts';
import { changeAsOperator } from '../../../src/accounts/sql/operator-changes.ts';
import {
  endOperatorSession,
  enrollOperator,
  renewOperatorCodes,
  replaceOperatorFactor,
  replaceOperatorPassword,
  startOperatorSession,
} from '../../../src/accounts/sql/operator-sign-in-rows.ts';
import { removeOperator } from '../../../src/accounts/sql/operators.ts';
import { hashToken } from '../../../src/accounts/sql/secret-tokens.ts';
import { NOW } from '../../support/accounts.ts';
import { addPerson, DAY_MS, outcomesOf } from '../conformance/accounts-under-test.ts';
import { atEachStatement, meetAt, useAccounts } from './meetings.ts';

const HASH = '$scrypt$operator';
const limits = { lifetimeMs: DAY_MS, idleMs: DAY_MS, perMemberMax: 9 };
const hashes = ['a', 'b', 'c'].map((text) => Buffer.alloc(32, text));
const recoveryHash = Buffer.alloc(32, 'a');
const secret = Buffer.alloc(20, 7);
const get = useAccounts();

let added = 0;

/** What enrolls a new operator. */
async function newEnrollment() {
  const email = `operator-${++added}@example.org`;
  const linkExpiresAt = NOW + 1_000;
  const { operator, link } = await get().operator.addOperator({ email, linkExpiresAt, now: NOW });
  const factor = { secret, step: 5, recoveryHashes: hashes };
  const input = { token: link.token, passwordHash: HASH, ...factor, limits, now: NOW };
  return { operator, input };
}

async function addEnrolled() {
  const { operator, input } = await newEnrollment();
  const { token } = await get().store.enrollOperator(input);
  return { ...operator, token };
}

const find = (token: string) => get().store.findOperatorSession({ token, limits, now: NOW });

// Nobody is there yet, so two transactions meet once: after both have found nobody.
it('one customer is the first', async () => {
  const add = (email: string) => () => addFirstCustomer({ email, credits: 1, now: NOW });
  const { stopped, other } = await meetAt(
    get().database,
    2,
    add('ada@example.org'),
    add('bob@example.org'),
  );
  const both = await Promise.all([stopped, other]);
  expect(both.filter((customer) => customer !== undefined)).toHaveLength(1);
});

it('no more audits are kept than there may be', async () => {
  await atEachStatement(get().database, async (meet) => {
    const report = { customers: 0, entries: 0, held: 0, differences: [] };
    const times = { startedAt: NOW, endedAt: NOW, actor: 'root' };
    const keep = () => keepAudit({ ...times, report, auditsMax: 1, differencesMax: 1 });
    await Promise.all(await meet(keep, keep));
    expect(await get().operator.listKeptAudits({ limit: 9 })).toHaveLength(1);
  });
});

describe('an operator', () => {
  it('enrolls by a link once', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { input } = await newEnrollment();
      const enroll = () => enrollOperator(input);
      const both = await meet(enroll, enroll);
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['link_over'] });
    });
  });

  it('signs in with the password that was checked, or changes it', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { id: operatorId } = await addEnrolled();
      const checked = { operatorId, passwordHash: HASH, limits, now: NOW };
      const [started, replaced] = await meet(
        () => startOperatorSession({ ...checked, proof: { step: 6 } }),
        () => replaceOperatorPassword({ ...checked, newHash: 'new' }),
      );
      const token = await started.then((session) => session.token).catch(() => '');
      expect(await find(token)).toBeUndefined();
      expect(await find((await replaced).token)).toBeDefined();
    });
  });

  it.each([
    { renewal: { recoveryHash }, replacement: { step: 6 } },
    { renewal: { step: 6 }, replacement: { recoveryHash } },
  ])('has the recovery codes of one app or renewal', async ({ renewal, replacement }) => {
    await atEachStatement(get().database, async (meet) => {
      const { id: operatorId, token: keep } = await addEnrolled();
      const renewed = { operatorId, recoveryHashes: [Buffer.alloc(32, 'x')], now: NOW };
      const app = { operatorId, secret, step: 7, recoveryHashes: [Buffer.alloc(32, 'y')] };
      await meet(
        () => renewOperatorCodes({ ...renewed, proof: renewal }),
        () => replaceOperatorFactor({ ...app, proof: replacement, keep, now: NOW }),
      );
      expect((await get().store.operatorLoginOf(operatorId))?.recoveryCodesLeft).toBe(1);
    });
  });

  it('is removed once', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { email } = await addEnrolled();
      const remove = () => removeOperator({ email });
      const both = await meet(remove, remove);
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['unknown_operator'] });
    });
  });

  it('has no session after the removal', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { id: operatorId, email } = await addEnrolled();
      const checked = { operatorId, passwordHash: HASH, limits, now: NOW };
      const [started, removed] = await meet(
        () => startOperatorSession({ ...checked, proof: { step: 6 } }),
        () => removeOperator({ email }),
      );
      await removed;
      const token = await started.then((session) => session.token).catch(() => '');
      expect(await find(token)).toBeUndefined();
    });
  });

  it('changes nothing after the end of the session', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { email: actor, token } = await addEnrolled();
      const { email, customerId } = await addPerson(get());
      const input = { email, credits: 1, now: NOW };
      const by = { actor, session: hashToken(token) };
      const [, balanceAtEnd] = await meet(
        () => changeAsOperator({ name: 'topUp', input, by, at: NOW }),
        function* () {
          yield* endOperatorSession({ token });
          return yield* readBalance(customerId);
        },
      );
      expect(await get().store.readBalance(customerId)).toBe(await balanceAtEnd);
    });
  });
});
