/** On a real file: a table of which one page is damaged, so that some rows can be changed. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  applyAroundDamage,
  MetDamage,
} from '../../../src/accounts/ledger-thread/apply-around-damage.ts';
import { damageOf } from '../../../src/database/damage/notice-damage.ts';
import { errorOf, type Outcome } from '../../../src/workers/outcome.ts';
import { temporaryFolder } from '../../support/accounts.ts';
import { damagePages } from '../../support/damage.ts';

const folder = temporaryFolder();
const ROWS = 2_000;
let files = 0;

/** Opens a table of numbered counters. The first of them, which are on one page, are damaged. */
function openDamaged() {
  const path = join(folder, `counters-${++files}.db`);
  const whole = new Database(path);
  whole.exec('CREATE TABLE counters (id INTEGER PRIMARY KEY, count INTEGER)');
  const insert = whole.prepare('INSERT INTO counters VALUES (?, 0)');
  whole.transaction(() => {
    for (let id = 1; id <= ROWS; id++) insert.run(id);
  })();
  whole.close();
  damagePages(path, 'counters', { choose: (leaves) => leaves.slice(0, 1) });
  const db = new Database(path);
  onTestFinished(() => void db.close());
  const increment = db.prepare(
    'UPDATE counters SET count = count + 1 WHERE id = ? RETURNING count',
  );
  const applyOne = db.transaction((id: number) => increment.pluck().get(id));
  const transactions = { begun: 0 };
  const apply = db.transaction((ids: number[]): Outcome<unknown>[] => {
    transactions.begun++;
    return ids.map((id, index) => {
      try {
        return { value: applyOne(id) };
      } catch (error) {
        throw new MetDamage(index, error);
      }
    });
  });
  return { apply, transactions };
}

const outcomeOf = (outcome: Outcome<unknown>): unknown =>
  'value' in outcome ? outcome.value : damageOf(errorOf(outcome.failure));
const DAMAGED = expect.stringContaining('the database is damaged');

describe('a list of operations of which some meet damage', () => {
  it('is applied once, but for those', () => {
    const { apply, transactions } = openDamaged();
    const ids = [ROWS, 1, ROWS - 1, 2, ROWS];
    const outcomes = applyAroundDamage(ids, apply, () => undefined);
    expect(outcomes.map(outcomeOf)).toEqual([1, DAMAGED, 1, DAMAGED, 2]);
    expect(transactions.begun).toBe(3);
    expect(applyAroundDamage([ROWS], apply, () => undefined)).toEqual([{ value: 3 }]);
  });

  it('has others in their place, which may meet damage as well', () => {
    const { apply } = openDamaged();
    const instead = new Map([
      [1, ROWS],
      [2, 3],
    ]);
    const outcomes = applyAroundDamage([1, 2, 3], apply, (id) => instead.get(id));
    expect(outcomes.map(outcomeOf)).toEqual([DAMAGED, DAMAGED, DAMAGED]);
    expect(applyAroundDamage([ROWS], apply, () => undefined)).toEqual([{ value: 2 }]);
  });

  it('fails as a whole for any other reason', () => {
    const full = new Error('the disk is full');
    const apply = (): never => {
      throw full;
    };
    expect(() => applyAroundDamage([1], apply, () => undefined)).toThrow(full);
  });
});
