/**
 * The index against the pure rules of src/identity: whatever the order in which records arrive,
 * replace each other and are taken back, it holds the papers that those make which are left.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { runOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { groupRecords } from '../../../src/identity/group-records.ts';
import type { KeptRecord } from '../../../src/identity/kept-record.ts';
import { mergeRecords } from '../../../src/identity/merge-records.ts';
import { nameOf } from '../../../src/identity/record-keys.ts';
import { createDocumentReader } from '../../../src/index/documents/documents.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { readChanges } from '../../../src/index/records/read-changes.ts';
import type { SourceRecord } from '../../../src/types.ts';
import { anyRecord } from '../../identity/any-record.ts';
import { addDocuments, expectSound, forwardEntriesById, memoryIndex } from '../memory-index.ts';
import { arrive, documentsIn, sortById, takeBack } from '../toy-incoming-records.ts';

type Step = { arrives: KeptRecord } | { takesBack: KeptRecord };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 7, arbitrary: anyRecord.map((arrives) => ({ arrives })) },
  { weight: 1, arbitrary: anyRecord.map((takesBack) => ({ takesBack })) },
);

describe('records, compared with the rules of identity,', () => {
  it('make the same documents one by one as all at once', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30, size: 'max' }), (steps) => {
        const db = memoryIndex();
        const writer = createIndexWriter(db);
        const left = new Map<string, KeptRecord>();
        const follower = followChanges(db);
        for (const [at, each] of steps.entries()) {
          if (at % 3 === 0) follower.follow();
          if ('arrives' in each) {
            arrive(writer, each.arrives);
            left.set(nameOf(each.arrives), each.arrives);
            continue;
          }
          const { source, identifiers } = each.takesBack;
          takeBack(writer, source, identifiers);
          for (const [name, record] of left) {
            if (isTakenBack(record, each.takesBack)) left.delete(name);
          }
        }
        expectPapersOf(db, [...left.values()]);
        expectSound(db);
        follower.follow();
        expect(follower.copy).toEqual(shownPapers(db));
      }),
      { numRuns: 60 },
    );
  });

  it('make the same documents in any order, and the newest version of each wins', () => {
    const dated = fc
      .tuple(
        fc.array(anyRecord, { minLength: 2, maxLength: 20, size: 'max' }),
        fc.infiniteStream(fc.nat()),
      )
      .map(([records, numbers]) => {
        const all = records.map((record, i) => ({ ...record, updatedAt: i + 1 }));
        const keyed = all.map((record) => ({ record, at: numbers.next().value as number }));
        return { all, shuffled: keyed.sort((a, b) => a.at - b.at).map(({ record }) => record) };
      });
    fc.assert(
      fc.property(dated, ({ all, shuffled }) => {
        const found = [all, shuffled].map((records) => {
          const db = memoryIndex();
          const writer = createIndexWriter(db);
          for (const record of records) arrive(writer, record);
          expectSound(db);
          return documentsIn(db);
        });
        expect(found[1]).toEqual(found[0]);
      }),
      { numRuns: 40 },
    );
  });

  it('change nothing when they arrive again', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyRecord, { maxLength: 15, selector: nameOf }), (records) => {
        const db = memoryIndex();
        const writer = createIndexWriter(db);
        for (const record of records) arrive(writer, record);
        const before = everything(db);
        for (const record of records) expect(arrive(writer, record)).toBe('unchanged');
        expect(everything(db)).toEqual(before);
      }),
      { numRuns: 25 },
    );
  });
});

/** Follows an index as a reader does that keeps what is cited of each paper. */
function followChanges(db: Connection) {
  const read = (after: number, most: number) => runOnSqlite(db, readChanges(after, most));
  const { withId, read: cite } = createDocumentReader(db);
  const copy = new Map<string, unknown>();
  let seen = 0;
  return {
    copy,
    follow(): void {
      const { changes, last } = read(seen, 1_000);
      for (const { id, reason } of changes) {
        if (reason === null) copy.set(id, cite(withId(id) as number));
        else copy.delete(id);
      }
      seen = last;
    },
  };
}

/** What is cited of the papers that are not withheld, by their ids. */
function shownPapers(db: Connection): Map<string, unknown> {
  const { withId, read } = createDocumentReader(db);
  const shown = documentsIn(db).filter(({ withheld }) => withheld === undefined);
  return new Map(shown.map(({ id }) => [id, read(withId(id) as number)]));
}

function isTakenBack(record: KeptRecord, { source, identifiers }: KeptRecord): boolean {
  if (record.source !== source) return false;
  const keys = new Set(identifierList(identifiers));
  const own = [...identifierList(record.identifiers), ...arxivOf(record), ...doiId(record)];
  return own.some((key) => keys.has(key));
}

function identifierList(identifiers: KeptRecord['identifiers']): string[] {
  return Object.entries(identifiers).map(([scheme, value]) => `${scheme} ${value}`);
}

function arxivOf({ identifiers: { doi = '' } }: KeptRecord): string[] {
  return doi.startsWith('10.48550/arxiv.') ? [`arxiv ${doi.slice('10.48550/arxiv.'.length)}`] : [];
}

function doiId({ id }: KeptRecord): string[] {
  return id.startsWith('10.') ? [`doi ${id}`] : [];
}

function expectPapersOf(db: Connection, records: readonly KeptRecord[]): void {
  const expected = groupRecords(records)
    .filter((group) => group.some(({ part }) => part === 'record'))
    .map(mergeRecords)
    .map(
      ({ document, identifiers, withheld }): SourceRecord => ({
        ...document,
        identifiers,
        updatedAt: 0,
        ...(withheld === undefined ? {} : { withheld }),
      }),
    );
  expect(documentsIn(db)).toEqual(sortById(expected));
  // The vectors too, whether new or kept from documents that were merged or separated.
  const fresh = memoryIndex();
  addDocuments(fresh, expected);
  expect(forwardEntriesById(db)).toEqual(forwardEntriesById(fresh));
}

function everything(db: Connection): unknown[] {
  const tables = ['documents', 'source_records', 'record_keys', 'signals', 'withheld_documents'];
  return tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all());
}
