/** The ledger against a naive model: random steps in any order, repeated, over several months. */
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createLedgerHandler,
  type LedgerOperation,
  type LedgerResult,
} from '../../../src/accounts/ledger-thread/ledger-worker.ts';
import { openStore } from '../../../src/database/open.ts';
import { identifyFile } from '../../../src/database/sqlite/file-identity.ts';
import { openMemoryStore, temporaryFolder } from '../../support/accounts.ts';
import { LedgerModel } from './ledger-model/model.ts';
import {
  answerOf,
  assertAsModel,
  createWorld,
  doStep,
  expectStep,
  isNotOpen,
  keyOf,
  ledgerStep,
  minutes,
  START,
  type Step,
  steps,
  type TimedStep,
  topUpStep,
  type World,
} from './ledger-model/steps.ts';

describe('the ledger', () => {
  it('returns the results of the model for every step and ends with the same figures', () => {
    fc.assert(
      fc.property(steps, (timedSteps: TimedStep[]) => {
        const db = openMemoryStore();
        const world = createWorld(db, 'request-');
        const model = new LedgerModel();
        let now = START;
        for (const { step, minutes } of timedSteps) {
          now += minutes * 60_000;
          const expected = expectStep(model, world, step, now);
          expect({ step, outcome: doStep(world, step, now) }).toEqual({ step, outcome: expected });
        }
        assertAsModel(world, model);
        db.close();
      }),
      { numRuns: 120 },
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

  function toOperation(world: World, step: Step, now: number): LedgerOperation {
    const { keys, prefix } = world;
    if (step.kind === 'answer') return { kind: 'answer', answer: answerOf(world, step, now) };
    if (step.kind === 'hold') {
      const requestId = `${prefix}${step.request}`;
      return { kind: 'hold', requestId, ...keyOf(keys, step.key), credits: step.credits, now };
    }
    if (step.kind === 'settle' || step.kind === 'release') {
      return { kind: step.kind, requestId: `${prefix}${step.request}`, now };
    }
    throw new Error(`no operation of a batch: ${step.kind}`);
  }

  function outcomeOf(result: LedgerResult): unknown {
    if ('value' in result) return result.value ?? 'refused';
    return isNotOpen(result.failure) ? 'not_open' : 'repeated';
  }

  it('have the effect of single steps, even if one fails', () => {
    const db = openStore({ path, lockWaitMs: 5_000 });
    const file = identifyFile(path) ?? expect.fail();
    const write = createLedgerHandler({ path, lockWaitMs: 5_000, file });
    let runs = 0;
    fc.assert(
      fc.property(batches, (drawn) => {
        const prefix = `run-${runs++}-`;
        const world = createWorld(db, prefix);
        const model = new LedgerModel();
        let now = START;
        for (const { before, batch, minutes } of drawn) {
          now += minutes * 60_000;
          for (const step of before) {
            expect(doStep(world, step, now)).toBe(expectStep(model, world, step, now));
          }
          const expected = batch.map((step) => expectStep(model, world, step, now));
          const results = write(batch.map((step) => toOperation(world, step, now)));
          expect(results.map(outcomeOf)).toEqual(expected);
        }
        assertAsModel(world, model);
      }),
      { numRuns: 30 },
    );
    db.close();
  });
});
