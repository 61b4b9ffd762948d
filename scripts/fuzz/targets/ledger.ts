/** The ledger: random steps have the results of a naive model, and the audit finds nothing. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openStore } from '../../../src/store/open.ts';
import { LedgerModel } from '../ledger/model.ts';
import {
  addKeys,
  assertAsModel,
  doStep,
  expectStep,
  START,
  steps,
  type World,
} from '../ledger/steps.ts';
import type { FuzzTarget } from '../target.ts';

const MINUTE_MS = 60_000;

export const ledger: FuzzTarget = {
  name: 'ledger',
  description: 'random operations of the ledger, against a model',
  share: 0.002,
  async open() {
    const property = fc.property(steps, (given) => {
      const db = openStore({ path: ':memory:', lockWaitMs: 0 });
      try {
        const world: World = { db, keys: addKeys(db, ''), prefix: 'request-' };
        const model = new LedgerModel();
        let now = START;
        for (const { step, minutes } of given) {
          now += minutes * MINUTE_MS;
          const expected = expectStep(model, world, step, now);
          assert.deepEqual(doStep(world, step, now), expected, step.kind);
        }
        assertAsModel(world, model);
      } finally {
        db.close();
      }
    });
    return { property, close: () => {} };
  },
};
