import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createDamageRegister } from '../../../src/database/damage/damage-register.ts';
import { damageOf, noticing, noticingAll } from '../../../src/database/damage/notice-damage.ts';
import { LEDGER, STORED_ANSWERS } from '../../../src/database/damage/parts.ts';
import { VerbatimError } from '../../../src/errors.ts';
import { createLog } from '../../../src/log.ts';
import { errorOf, failureOf } from '../../../src/workers/outcome.ts';
import { temporaryFolder } from '../../support/accounts.ts';
import { damagePages } from '../../support/damage.ts';

const folder = temporaryFolder();

/** Returns what a read of a damaged table throws. */
function readDamaged(): unknown {
  const path = join(folder, 'damaged.db');
  const db = new Database(path);
  db.exec('DROP TABLE IF EXISTS things; CREATE TABLE things (name TEXT)');
  db.close();
  const damaged = damagePages(path, 'things');
  const reader = new Database(path);
  try {
    return reader.prepare('SELECT * FROM things').all();
  } catch (error) {
    return error;
  } finally {
    reader.close();
    damaged.repair();
    expect(new Database(path).prepare('SELECT * FROM things').all()).toEqual([]);
  }
}

const open = () => createDamageRegister(createLog(() => {}));
const isDegraded = expect.objectContaining({ code: 'degraded', status: 503 });

describe('damage where it is met', () => {
  it('is told from other errors, also by its cause and after it has left its thread', () => {
    const error = readDamaged();
    const words = 'the database is damaged (SQLITE_CORRUPT)';
    expect(damageOf(error)).toBe(words);
    const expected = new VerbatimError('database_unusable', 'cannot use it', { cause: error });
    for (const thrown of [error, expected]) {
      const restored = errorOf(structuredClone(failureOf(thrown)));
      expect(damageOf(restored)).toBe(words);
      expect(restored.message).toBe((thrown as Error).message);
    }
    for (const other of [new Error('SQLITE_CORRUPT'), Object.assign(new Error(), { code: 1 }), 7]) {
      expect(damageOf(other)).toBeUndefined();
      expect(damageOf(errorOf(failureOf(other)))).toBeUndefined();
    }
  });

  it('is reported and thrown as degraded, whether it is thrown or rejected', async () => {
    const register = open();
    const error = readDamaged();
    const throwing = noticing(register, LEDGER, () => {
      throw error;
    });
    expect(throwing).toThrow(isDegraded);
    expect(register.all()).toMatchObject([
      { ...LEDGER, reason: 'ledger: the database is damaged (SQLITE_CORRUPT)' },
    ]);
    const methods = { find: () => Promise.reject(error), size: 3, count: () => 4 };
    const watched = noticingAll(register, () => STORED_ANSWERS, methods);
    await expect(watched.find()).rejects.toEqual(isDegraded);
    expect([watched.size, watched.count()]).toEqual([3, 4]);
    expect(register.all().map(({ part }) => part)).toEqual(['ledger', 'stored_answers']);
  });

  it('leaves other errors alone', async () => {
    const register = open();
    const error = new Error('a defect');
    await expect(noticing(register, LEDGER, () => Promise.reject(error))()).rejects.toBe(error);
    expect(register.all()).toEqual([]);
  });
});
