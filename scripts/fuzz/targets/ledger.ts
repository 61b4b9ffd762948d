/** The ledger: random steps have the results of a naive model, and the audit finds nothing. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openStore } from '../../../src/database/open.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { LedgerModel } from '../../../test/accounts/sql/ledger-model/model.ts';
import {
  assertAsModel,
  createWorld,
  doStep,
  expectStep,
  START,
  steps,
  type TimedStep,
} from '../../../test/accounts/sql/ledger-model/steps.ts';
import type { FuzzTarget } from '../run-target.ts';

const MINUTE_MS = 60_000;
/** Later than any step. */
const NEVER = Number.MAX_SAFE_INTEGER;
/** Creating a database takes as long as a case. The audit takes longer the more is in it. */
const CASES_PER_DATABASE = 20;

export const ledger: FuzzTarget = {
  name: 'ledger',
  description: 'random operations of the ledger, against a model',
  share: 0.002,
  async open() {
    let db: Connection | undefined;
    let cases = 0;
    const close = (): void => {
      db?.close();
      db = undefined;
    };
    const property = fc.property(steps, (given) => {
      if (cases % CASES_PER_DATABASE === 0) close();
      db ??= openStore({ path: ':memory:', lockWaitMs: 0 });
      try {
        runSteps(db, `case-${cases++}-`, given);
      } catch (error) {
        // What it left would be blamed on the next case.
        close();
        throw error;
      }
    });
    return { property, close };
  },
};

function runSteps(db: Connection, prefix: string, given: readonly TimedStep[]): void {
  const world = createWorld(db, prefix);
  const model = new LedgerModel();
  let now = START;
  for (const { step, minutes } of given) {
    now += minutes * MINUTE_MS;
    const expected = expectStep(model, world, step, now);
    assert.deepEqual(doStep(world, step, now), expected, step.kind);
  }
  assertAsModel(world, model);
  // A restart releases the holds of every customer, and answers of every customer expire, so the next
  // case must find none.
  assert.equal(doStep(world, { kind: 'crash' }, now), model.releaseAll(now));
  assert.equal(doStep(world, { kind: 'expire' }, NEVER), model.expire(NEVER));
}
