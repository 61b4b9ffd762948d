/** The ledger against a naive model: random steps in any order, repeated, over several months. */
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VerbatimError } from '../../../src/errors.ts';
import { auditLedger } from '../../../src/store/accounts/audit.ts';
import {
  createLedger,
  refundSearch,
  releaseOpenHolds,
  topUp,
} from '../../../src/store/accounts/ledger.ts';
import type { Connection } from '../../../src/store/database/connection.ts';
import { identifyFile } from '../../../src/store/database/file-identity.ts';
import { openStore } from '../../../src/store/open.ts';
import { createLedgerHandler, type LedgerOperation } from '../../../src/workers/ledger-worker.ts';
import { addAccount, addKey, openMemoryStore, temporaryFolder } from '../../support/accounts.ts';
import { LedgerModel, type ModelKey, type Outcome } from '../../support/ledger-model.ts';

type Step =
  | { kind: 'topup'; key: number; credits: number; reference: number | null }
  | { kind: 'hold'; key: number; credits: number; request: number }
  | { kind: 'settle' | 'release' | 'refund'; request: number }
  | { kind: 'crash' };

interface TimedStep {
  step: Step;
  /** Time that passes before it. */
  minutes: number;
}

/** What a step acts on in one run. */
interface World {
  db: Connection;
  keys: readonly ModelKey[];
  /** Before the ids of requests and payments. */
  prefix: string;
}

const START = Date.UTC(2025, 10, 29, 23, 45);
const KEYS = 5;
/** Few, so that most are used more than once. */
const REQUESTS = 10;
const PAYMENTS = 4;

const key = fc.nat(KEYS - 1);
const request = fc.nat(REQUESTS - 1);
/** Near the sums that are topped up, so that holds for too much, and just enough, are common. */
const credits = fc.integer({ min: 1, max: 12 });
const ledgerStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('hold'), key, credits, request }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('settle'), request }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release'), request }) },
);
const reference = fc.option(fc.nat(PAYMENTS - 1), { freq: 1 });
const topUpStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('topup'),
  key,
  credits,
  reference,
});
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: ledgerStep },
  { weight: 5, arbitrary: topUpStep },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('refund'), request }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash') }) },
);
/** Mostly at once, sometimes the last minute of a month or a month later. */
const minutes = fc.oneof(fc.constant(0), fc.nat(30), fc.nat(60 * 24 * 40));

function addKeys(db: Connection, prefix: string): ModelKey[] {
  const accounts = [1, 2, 3].map((number) => addAccount(db, `${prefix}${number}@example.org`));
  const [first, second] = accounts as [ModelKey, ModelKey, ModelKey];
  const more = [first, second].map(({ customerId }) => ({
    customerId,
    keyId: addKey(db, customerId).key.id,
  }));
  return [...accounts, ...more];
}

/** Does a step in a transaction of its own, as the ledger's callers do. */
function doStep(world: World, step: Step, now: number): Outcome {
  const { db, keys, prefix } = world;
  try {
    switch (step.kind) {
      case 'topup':
        return topUp(db, {
          customerId: keyOf(keys, step.key).customerId,
          credits: step.credits,
          now,
          reference: step.reference === null ? undefined : `${prefix}payment-${step.reference}`,
        });
      case 'refund':
        return refundSearch(db, { requestId: `${prefix}${step.request}`, now }).balance;
      case 'crash':
        return releaseOpenHolds(db, now);
      default:
        return db.transaction(() => doLedgerStep(world, step, now)).immediate() ?? 'refused';
    }
  } catch (error) {
    return nameOf(error);
  }
}

function doLedgerStep(
  { db, keys, prefix }: World,
  step: Extract<Step, { kind: 'hold' } | { kind: 'settle' | 'release' | 'refund' }>,
  now: number,
): number | undefined {
  const requestId = `${prefix}${step.request}`;
  const ledger = createLedger(db);
  if (step.kind === 'hold') {
    return ledger.hold({ requestId, ...keyOf(keys, step.key), credits: step.credits, now });
  }
  return step.kind === 'settle' ? ledger.settle(requestId, now) : ledger.release(requestId, now);
}

function expectStep(model: LedgerModel, { keys, prefix }: World, step: Step, now: number): Outcome {
  switch (step.kind) {
    case 'topup': {
      const reference = step.reference === null ? undefined : `${prefix}payment-${step.reference}`;
      const { customerId } = keyOf(keys, step.key);
      return model.topUp({ customerId, credits: step.credits, reference }, now);
    }
    case 'hold': {
      const requestId = `${prefix}${step.request}`;
      return model.hold(keyOf(keys, step.key), { requestId, credits: step.credits }, now);
    }
    case 'crash':
      return model.releaseAll(now);
    default:
      return model[step.kind](`${prefix}${step.request}`, now);
  }
}

function keyOf(keys: readonly ModelKey[], index: number): ModelKey {
  const found = keys[index];
  if (found === undefined) throw new Error(`no key ${index}`);
  return found;
}

/** A refusal by its code; a repeated request id is refused by the table itself. */
function nameOf(error: unknown): string {
  if (error instanceof VerbatimError) return error.code;
  const { code } = error as { code?: string };
  if (code?.startsWith('SQLITE_CONSTRAINT')) return 'repeated';
  throw error;
}

function expectAsModel({ db, keys }: World, model: LedgerModel): void {
  const customers = [...new Set(keys.map(({ customerId }) => customerId))];
  const ours = `IN (${customers.join(', ')})`;
  const ourKeys = `IN (${keys.map(({ keyId }) => keyId).join(', ')})`;
  const all = (sql: string): Record<string, unknown>[] =>
    db.prepare(sql).all() as Record<string, unknown>[];

  expect(all(`SELECT id, balance FROM customers WHERE id ${ours}`)).toEqual(
    customers.map((id) => ({ id, balance: model.balanceOf(id) })),
  );
  expectSameRows(
    all(`SELECT key_id AS keyId, period, requests, credits FROM usage WHERE key_id ${ourKeys}`),
    model.usage(),
  );
  expectSameRows(
    all(`SELECT request_id AS requestId, customer_id AS customerId, key_id AS keyId, credits
         FROM open_holds WHERE customer_id ${ours}`),
    model.open(),
  );
  const entries = all(
    `SELECT customer_id AS customerId, key_id AS keyId, kind, credits, balance,
       request_id AS requestId, reference, created_at AS createdAt
     FROM ledger_entries WHERE customer_id ${ours} ORDER BY id`,
  );
  // The order in which a restart releases holds is its own affair; the balances follow from it.
  expectSameRows(entries.map(withoutBalance), model.entries);
  for (const customerId of customers) {
    let balance = 0;
    for (const entry of entries.filter((row) => row['customerId'] === customerId)) {
      balance += Number(entry['credits']);
      expect(entry['balance']).toBe(balance);
    }
  }
  expect(auditLedger(db).differences).toEqual([]);
}

function withoutBalance({ balance: _, ...rest }: Record<string, unknown>): object {
  return rest;
}

/** In any order. */
function expectSameRows(actual: readonly object[], expected: readonly object[]): void {
  const sorted = (rows: readonly object[]): string[] =>
    rows.map((row) => JSON.stringify(Object.entries(row).toSorted())).toSorted();
  expect(sorted(actual)).toEqual(sorted(expected));
}

describe('the ledger', () => {
  // Without a size, fast-check makes short arrays: too few steps to refund anything twice.
  const steps = fc.array(fc.record({ step: anyStep, minutes }), { maxLength: 120, size: 'max' });

  it('returns the results of the model for every step and ends with the same figures', () => {
    fc.assert(
      fc.property(steps, (timedSteps: TimedStep[]) => {
        const db = openMemoryStore();
        const world: World = { db, keys: addKeys(db, ''), prefix: 'request-' };
        const model = new LedgerModel();
        let now = START;
        for (const { step, minutes } of timedSteps) {
          now += minutes * 60_000;
          const expected = expectStep(model, world, step, now);
          expect({ step, outcome: doStep(world, step, now) }).toEqual({ step, outcome: expected });
        }
        expectAsModel(world, model);
        db.close();
      }),
      { numRuns: 300 },
    );
  });
});

describe('the batches of the ledger thread', () => {
  type Batch = { before: Step[]; batch: Step[]; minutes: number };
  const path = join(temporaryFolder(), 'batches.db');
  const batches: fc.Arbitrary<Batch[]> = fc.array(
    fc.record({
      before: fc.array(topUpStep, { maxLength: 2, size: 'max' }),
      batch: fc.array(ledgerStep, { minLength: 1, maxLength: 12, size: 'max' }),
      minutes,
    }),
    { maxLength: 8, size: 'max' },
  );

  function toOperation({ keys, prefix }: World, step: Step, now: number): LedgerOperation {
    if (step.kind === 'hold') {
      const requestId = `${prefix}${step.request}`;
      return { kind: 'hold', requestId, ...keyOf(keys, step.key), credits: step.credits, now };
    }
    if (step.kind === 'settle' || step.kind === 'release') {
      return { kind: step.kind, requestId: `${prefix}${step.request}`, now };
    }
    throw new Error(`no operation of a batch: ${step.kind}`);
  }

  it('have the effect of single steps, even if one fails', () => {
    const db = openStore({ path, lockWaitMs: 5_000 });
    const file = identifyFile(path) ?? expect.fail();
    const write = createLedgerHandler({ path, lockWaitMs: 5_000, file });
    let runs = 0;
    fc.assert(
      fc.property(batches, (given) => {
        const prefix = `run-${runs++}-`;
        const world: World = { db, keys: addKeys(db, prefix), prefix };
        const model = new LedgerModel();
        let now = START;
        for (const { before, batch, minutes } of given) {
          now += minutes * 60_000;
          for (const step of before) {
            expect(doStep(world, step, now)).toBe(expectStep(model, world, step, now));
          }
          const results = write(batch.map((step) => toOperation(world, step, now)));
          const outcomes = results.map((result) =>
            'failure' in result ? 'repeated' : (result.value ?? 'refused'),
          );
          expect(outcomes).toEqual(batch.map((step) => expectStep(model, world, step, now)));
        }
        expectAsModel(world, model);
      }),
      { numRuns: 60 },
    );
    db.close();
  });
});
