/** Random steps of the ledger, done by src/ and by the model, and the comparison of the two. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createKey } from '../../../../src/accounts/sql/api-keys.ts';
import { refundSearch, topUp } from '../../../../src/accounts/sql/credit-entries.ts';
import { addCustomer } from '../../../../src/accounts/sql/customers.ts';
import { auditLedger } from '../../../../src/accounts/sqlite/ledger/audit.ts';
import {
  createLedger,
  type Ledger,
  releaseOpenHolds,
} from '../../../../src/accounts/sqlite/ledger/ledger.ts';
import {
  type AnswerToStore,
  deleteExpiredAnswers,
  prepareStoreAnswer,
} from '../../../../src/accounts/sqlite/ledger/stored-answers.ts';
import type { Connection } from '../../../../src/database/sqlite/connection.ts';
import { changeOnSqlite } from '../../../../src/database/sqlite/run-on-sqlite.ts';
import { VerbatimError } from '../../../../src/errors.ts';
import type { LedgerModel, ModelKey, Outcome } from './model.ts';

export type Step =
  | { kind: 'topup'; key: number; credits: number; reference: number | null }
  | { kind: 'hold'; key: number; credits: number; request: number }
  | { kind: 'settle' | 'release' | 'refund'; request: number }
  | { kind: 'answer'; idempotencyKey: number; charged: number[]; released: number[] }
  | { kind: 'expire' }
  | { kind: 'crash' };

export interface TimedStep {
  step: Step;
  /** Time that passes before it. */
  minutes: number;
}

/** What a step acts on in one run. */
export interface World {
  db: Connection;
  ledger: Ledger;
  keys: readonly ModelKey[];
  /** Before the ids of requests and payments. */
  prefix: string;
  /** Whose searches were granted a hold, by their ids: `expectStep` fills it. */
  owners: Map<string, number>;
}

export const START = Date.UTC(2025, 10, 29, 23, 45);
const KEYS = 5;
const IDEMPOTENCY_KEYS = 3;
/** An answer outlives most of the steps, and expires in some. */
const ANSWER_AGE_MS = 24 * 3_600_000;
/** Few, so that most are used more than once. */
const REQUESTS = 10;
const PAYMENTS = 4;

const key = fc.nat(KEYS - 1);
const request = fc.nat(REQUESTS - 1);
/** Near the sums that are topped up, so that holds for too much, and just enough, are common. */
const credits = fc.integer({ min: 1, max: 12 });
export const ledgerStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('hold'), key, credits, request }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('settle'), request }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release'), request }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('answer'),
      idempotencyKey: fc.nat(IDEMPOTENCY_KEYS - 1),
      charged: fc.uniqueArray(request, { minLength: 1, maxLength: 3 }),
      released: fc.uniqueArray(request, { maxLength: 2 }),
    }),
  },
);
const reference = fc.option(fc.nat(PAYMENTS - 1), { freq: 1 });
export const topUpStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('topup'),
  key,
  credits,
  reference,
});
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: ledgerStep },
  { weight: 5, arbitrary: topUpStep },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('refund'), request }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash') }) },
);
/** Mostly at once, sometimes the last minute of a month or a month later. */
export const minutes = fc.oneof(fc.constant(0), fc.nat(30), fc.nat(60 * 24 * 40));

/** A run of steps. Without a size, fast-check makes too few of them to refund anything twice. */
export const steps: fc.Arbitrary<TimedStep[]> = fc.array(fc.record({ step: anyStep, minutes }), {
  maxLength: 120,
  size: 'max',
});

/** Adds customers and keys of a run of steps. Runs with different prefixes may share a database. */
export function createWorld(db: Connection, prefix: string): World {
  return {
    db,
    ledger: createLedger(db),
    keys: addKeys(db, prefix),
    prefix,
    owners: new Map(),
  };
}

/** Adds three customers with five keys. */
function addKeys(db: Connection, prefix: string): ModelKey[] {
  const customers = [1, 2, 3].map(
    (number) =>
      changeOnSqlite(db, addCustomer({ email: `${prefix}${number}@example.org`, now: START })).id,
  );
  // Two of the customers have two keys.
  return [...customers, ...customers.slice(0, 2)].map((customerId) => ({
    customerId,
    keyId: addKey(db, customerId),
  }));
}

function addKey(db: Connection, customerId: number): number {
  const caps = { requestsPerMinute: null, inFlightMax: null };
  return changeOnSqlite(db, createKey({ customerId, name: 'default', ...caps, now: START })).key.id;
}

/** Does a step in a transaction of its own, as the ledger's callers do. */
export function doStep(world: World, step: Step, now: number): Outcome {
  const { db, keys, prefix } = world;
  try {
    switch (step.kind) {
      case 'topup':
        return changeOnSqlite(
          db,
          topUp({
            customerId: keyOf(keys, step.key).customerId,
            credits: step.credits,
            now,
            reference: step.reference === null ? undefined : `${prefix}payment-${step.reference}`,
          }),
        );
      case 'refund':
        return changeOnSqlite(db, refundSearch({ requestId: `${prefix}${step.request}`, now }))
          .balance;
      case 'crash':
        return releaseOpenHolds(db, now);
      case 'expire':
        return deleteExpiredAnswers(db, { now, limit: Number.MAX_SAFE_INTEGER });
      case 'answer':
        return storeAnswer(world, answerOf(world, step, now));
      default:
        return db.transaction(() => doLedgerStep(world, step, now)).immediate() ?? 'refused';
    }
  } catch (error) {
    return nameOf(error);
  }
}

/** The answer of a step: to a request of the owner of its first search. */
export function answerOf(
  { prefix, owners }: World,
  { idempotencyKey, charged, released }: Extract<Step, { kind: 'answer' }>,
  now: number,
): AnswerToStore {
  const idOf = (request: number): string => `${prefix}${request}`;
  const requestId = idOf(charged[0] as number);
  const customerId = owners.get(requestId) ?? Number.NaN;
  return {
    request: { customerId, idempotencyKey: `key ${idempotencyKey}`, fingerprint: Buffer.of(1) },
    requestId,
    headers: {},
    body: requestId,
    charged: charged.map(idOf),
    released: released.map(idOf),
    expiresAt: now + ANSWER_AGE_MS,
    now,
  };
}

function storeAnswer({ db, ledger }: World, answer: AnswerToStore): Outcome {
  const store = prepareStoreAnswer(db, ledger);
  return db.transaction(() => store(answer)).immediate() ?? 'refused';
}

function doLedgerStep(
  { ledger, keys, prefix }: World,
  step: Extract<Step, { kind: 'hold' } | { kind: 'settle' | 'release' | 'refund' }>,
  now: number,
): number | undefined {
  const requestId = `${prefix}${step.request}`;
  if (step.kind === 'hold') {
    return ledger.hold({ requestId, ...keyOf(keys, step.key), credits: step.credits, now });
  }
  return step.kind === 'settle' ? ledger.settle(requestId, now) : ledger.release(requestId, now);
}

export function expectStep(model: LedgerModel, world: World, step: Step, now: number): Outcome {
  const { keys, prefix, owners } = world;
  switch (step.kind) {
    case 'topup': {
      const reference = step.reference === null ? undefined : `${prefix}payment-${step.reference}`;
      const { customerId } = keyOf(keys, step.key);
      return model.topUp({ customerId, credits: step.credits, reference }, now);
    }
    case 'hold': {
      const requestId = `${prefix}${step.request}`;
      const key = keyOf(keys, step.key);
      const outcome = model.hold(key, { requestId, credits: step.credits }, now);
      if (typeof outcome === 'number') owners.set(requestId, key.customerId);
      return outcome;
    }
    case 'answer': {
      const { request, ...answer } = answerOf(world, step, now);
      return model.answer({ ...request, ...answer }, now);
    }
    case 'expire':
      return model.expire(now);
    case 'crash':
      return model.releaseAll(now);
    default:
      return model[step.kind](`${prefix}${step.request}`, now);
  }
}

export function keyOf(keys: readonly ModelKey[], index: number): ModelKey {
  const found = keys[index];
  if (found === undefined) throw new Error(`no key ${index}`);
  return found;
}

/** A refusal by its code; a repeated request or key is refused by the table itself. */
function nameOf(error: unknown): string {
  if (error instanceof VerbatimError) return error.code;
  if (isNotOpen(error)) return 'not_open';
  const { code } = error as { code?: string };
  if (code?.startsWith('SQLITE_CONSTRAINT')) return 'repeated';
  throw error;
}

/** Whether an answer was refused because a hold that it charges is not open. */
export function isNotOpen(error: unknown): boolean {
  return / is not open$/.test((error as { message?: string }).message ?? '');
}

/** Throws if the database and the model differ in any figure. */
export function assertAsModel({ db, keys }: World, model: LedgerModel): void {
  const customers = [...new Set(keys.map(({ customerId }) => customerId))];
  const ours = `IN (${customers.join(', ')})`;
  const ourKeys = `IN (${keys.map(({ keyId }) => keyId).join(', ')})`;
  const all = (sql: string): Record<string, unknown>[] =>
    db.prepare(sql).all() as Record<string, unknown>[];

  assert.deepEqual(
    all(`SELECT id, balance FROM customers WHERE id ${ours}`),
    customers.map((id) => ({ id, balance: model.balanceOf(id) })),
  );
  assertSameRows(
    all(`SELECT key_id AS keyId, period, requests, credits FROM usage WHERE key_id ${ourKeys}`),
    model.usage(),
  );
  assertSameRows(
    all(`SELECT request_id AS requestId, customer_id AS customerId, key_id AS keyId, credits
         FROM open_holds WHERE customer_id ${ours}`),
    model.open(),
  );
  assertSameRows(
    all(`SELECT customer_id AS customerId, idempotency_key AS idempotencyKey,
           request_id AS requestId, expires_at AS expiresAt
         FROM stored_answers WHERE customer_id ${ours}`),
    model.answers,
  );
  const entries = all(
    `SELECT customer_id AS customerId, key_id AS keyId, kind, credits, balance,
       request_id AS requestId, reference, created_at AS createdAt
     FROM ledger_entries WHERE customer_id ${ours} ORDER BY id`,
  );
  // The order in which a restart releases holds is its own affair; the balances follow from it.
  assertSameRows(entries.map(withoutBalance), model.entries);
  for (const customerId of customers) {
    let balance = 0;
    for (const entry of entries.filter((row) => row['customerId'] === customerId)) {
      balance += Number(entry['credits']);
      assert.equal(entry['balance'], balance);
    }
  }
  assert.deepEqual(auditLedger(db).differences, []);
}

function withoutBalance({ balance: _, ...rest }: Record<string, unknown>): object {
  return rest;
}

/** In any order. */
function assertSameRows(actual: readonly object[], expected: readonly object[]): void {
  const sorted = (rows: readonly object[]): string[] =>
    rows.map((row) => JSON.stringify(Object.entries(row).toSorted())).toSorted();
  assert.deepEqual(sorted(actual), sorted(expected));
}
