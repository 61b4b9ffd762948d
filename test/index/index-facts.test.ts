import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/database/open.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import {
  assertModel,
  claimModel,
  prepareReviseIndex,
  readModel,
  readRevision,
  readTotals,
} from '../../src/index/index-facts.ts';
import { createStatisticsReader } from '../../src/index/lexical/term-statistics.ts';
import { memoryIndex, toyModel } from './memory-index.ts';

const OTHER = { ...toyModel, name: 'other', sha256: '0'.repeat(64) };

describe('claimModel and readModel', () => {
  it('find no model in a new index, which fits any model', () => {
    const db = emptyStore();
    expect(readModel(db)).toBeUndefined();
    expect(() => assertModel(db, toyModel)).not.toThrow();
  });

  it('keep the first model and accept it again', () => {
    const db = emptyStore();
    claimModel(db, toyModel);
    claimModel(db, toyModel);
    expect(readModel(db)).toEqual(toyModel);
  });

  it.each([
    ['claims', claimModel],
    ['uses', assertModel],
  ])('refuse another model that %s it, and name both', (_, act) => {
    const db = memoryIndex();
    expect(() => act(db, OTHER)).toThrow(
      expect.objectContaining({
        code: 'model_mismatch',
        message:
          ':memory: was built with the model toy (32 dimensions, sha256 ffffffffffff), but the ' +
          'model given is other (32 dimensions, sha256 000000000000); ' +
          "name the index's model with --model, or move the index to this one with: " +
          'verbatim index reembed',
      }),
    );
    expect(readModel(db)).toEqual(toyModel);
  });

  it('accept the same model under another name', () => {
    expect(() => assertModel(memoryIndex(), { ...toyModel, name: 'renamed' })).not.toThrow();
  });
});

describe('prepareReviseIndex', () => {
  it('adds to totals that start at 0', () => {
    const db = emptyStore();
    expect(readTotals(db)).toEqual({ documents: 0, sentences: 0 });
    const revise = prepareReviseIndex(db);
    revise({ documents: 2, sentences: 7, terms: 30 });
    revise({ documents: -1, sentences: -3, terms: -10 });
    expect(readTotals(db)).toEqual({ documents: 1, sentences: 4 });
    expect(createStatisticsReader(db)()).toMatchObject({ documents: 1, lengthMean: 20 });
  });

  it('increments the revision even if the totals stay the same', () => {
    const db = emptyStore();
    const revision = readRevision(db);
    const before = revision();
    prepareReviseIndex(db)({ documents: 0, sentences: 0, terms: 0 });
    expect(revision()).not.toBe(before);
  });
});

function emptyStore(): Connection {
  const db = openStore({ path: ':memory:', lockWaitMs: 0 });
  onTestFinished(() => {
    db.close();
  });
  return db;
}
