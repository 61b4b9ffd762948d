/**
 * The index writer against a plain map: after any transactions, also such that fail and are rolled
 * back, and of two writers in turns, the index is sound and holds what one has that was made from
 * the same documents at once.
 */
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { recluster } from '../../../src/index/dense/recluster.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { extendPostings } from '../../../src/index/lexical/extend-postings.ts';
import type { SourceDocument } from '../../../src/types.ts';
import { scratchFolder } from '../../ingest/index-files.ts';
import {
  documentOf,
  emptyIndex,
  expectSound,
  forwardEntriesById,
  memoryIndex,
  toyIndexed,
} from '../memory-index.ts';

/** Enough documents for lists to be split and deleted. */
const IDS = 900;
const TITLES = ['Tides', 'Moon over the shore', 'IL-6 in mice'];
const ABSTRACTS = ['', 'It rose.', 'It fell. It stood.', 'Йод. 한국. It fell.'];

const document = fc
  .tuple(fc.nat(IDS - 1), fc.constantFrom(...TITLES), fc.constantFrom(...ABSTRACTS), fc.nat(999))
  // A number in the title, because otherwise many would have the same vector.
  .map(([id, title, abstract, n]) => documentOf({ id: `${id}`, title: `${title} ${n}`, abstract }));

type Operation = { by: number } & (
  | { write: SourceDocument[]; fails: boolean }
  /** Ids from one up to, but not including, another. */
  | { remove: [from: number, to: number]; fails: boolean }
  /** So many steps of reclustering or of extending the postings. */
  | { of: 'lists' | 'postings'; steps: number }
);

/** `by` is the number of the writer. */
const by = fc.nat(1);
const fails = fc.boolean();
const bound = fc.nat(IDS);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      by,
      fails,
      write: fc.array(document, { maxLength: 400, size: 'max' }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ by, remove: fc.tuple(bound, bound), fails }) },
  {
    weight: 3,
    arbitrary: fc.record({
      by,
      of: fc.constantFrom('lists' as const, 'postings' as const),
      steps: fc.integer({ min: 1, max: 4 }),
    }),
  },
);
const OPERATIONS = fc.array(operation, { minLength: 1, maxLength: 12 });

describe('the index writer, compared with a plain map,', () => {
  it('keeps the index sound through writes, removals and failures', () => {
    fc.assert(
      fc.property(OPERATIONS, (operations) => {
        const db = memoryIndex();
        check([db], operations);
      }),
      { numRuns: 10 },
    );
  });

  it('keeps the index sound when two writers alternate', async () => {
    const folder = await scratchFolder();
    let files = 0;
    fc.assert(
      fc.property(OPERATIONS, (operations) => {
        const path = join(folder, `${++files}.db`);
        check([emptyIndex(path), emptyIndex(path)], operations);
      }),
      { numRuns: 6 },
    );
  });
});

/** Runs the operations on the connections and compares at the end. */
function check(connections: readonly Connection[], operations: readonly Operation[]): void {
  const parts = connections.map((db) => ({ db, writer: createIndexWriter(db) }));
  const model = new Map<string, SourceDocument>();
  for (const step of operations) {
    const { db, writer } = parts[step.by % parts.length] as (typeof parts)[number];
    if ('steps' in step) {
      const steps = (step.of === 'lists' ? recluster : extendPostings)(db);
      for (let i = 0; i < step.steps; i++) steps.next();
      continue;
    }
    const act = (): void => {
      if ('write' in step) writer.write(step.write.map(toyIndexed));
      else {
        const ids = idsOf(step.remove);
        writer.remove(ids);
        // Otherwise a removed paper would stay away when it is written again.
        writer.restore(ids.map((id) => [`id:${id}`]));
      }
    };
    if (step.fails) {
      expect(() => failing(db, act)).toThrow('no more room');
      continue;
    }
    act();
    if ('write' in step) for (const one of step.write) model.set(one.id, one);
    else for (const id of idsOf(step.remove)) model.delete(id);
  }
  for (const { db } of parts) expectSound(db);
  const db = parts[0]?.db as Connection;
  const rows = db.prepare('SELECT id, title, abstract FROM documents ORDER BY id').all();
  const expected = [...model.values()].map(({ id, title, abstract }) => ({ id, title, abstract }));
  expect(rows).toEqual(expected.sort((a, b) => (a.id < b.id ? -1 : 1)));
  const fresh = memoryIndex();
  createIndexWriter(fresh).write([...model.values()].map(toyIndexed));
  expect(statisticsOf(db)).toEqual(statisticsOf(fresh));
}

function idsOf([from, to]: readonly [number, number]): string[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => `${from + i}`);
}

/** Makes the last step of a transaction fail. */
function failing(db: Connection, act: () => void): void {
  db.exec(
    `CREATE TEMP TRIGGER full BEFORE UPDATE ON main.index_facts WHEN old.name = 'revision'
     BEGIN SELECT raise(ABORT, 'no more room'); END`,
  );
  try {
    act();
  } finally {
    db.exec('DROP TRIGGER full');
  }
}

/** The content that must not depend on the history of the index. */
function statisticsOf(db: Connection): unknown {
  return {
    counts: db.prepare('SELECT * FROM term_counts ORDER BY term').all(),
    totals: db
      .prepare(
        `SELECT name, value FROM index_facts
         WHERE name IN ('documents', 'sentences', 'terms') ORDER BY name`,
      )
      .all(),
    signals: forwardEntriesById(db),
  };
}
