/** The tests that every index passes as commands see it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IndexBuilder } from '../../../../src/index/ports/index-builder.ts';
import type { IndexSource } from '../../../../src/index/ports/index-source.ts';
import type { OperatorIndex } from '../../../../src/index/ports/operator-index.ts';
import type { SourceRecord } from '../../../../src/types.ts';
import { recordOf } from '../../../identity/records.ts';
import { toyModel } from '../../memory-index.ts';
import { arrive } from '../builder/index-under-test.ts';
import { testChanges } from './changes.ts';
import { testCitations } from './citations.ts';
import { testLists } from './lists.ts';
import { testRemoval } from './removal.ts';

/** An index with the toy model, and its builder. */
export interface OperatedIndex {
  index: OperatorIndex;
  builder: IndexBuilder;
  /** What searches read of it. */
  source: IndexSource;
  /** Changes the tables behind its back. */
  damage(sql: string): Promise<void>;
  close(): Promise<void>;
}

const TIDES = recordOf({
  id: 'tides',
  title: 'Tides of a shore',
  abstract: 'It rose. It fell.',
  year: 2001,
  authors: ['Ana Silva'],
  identifiers: { doi: '10.5555/tides' },
  details: { language: 'en', field: 'Earth science' },
  references: [{ identifiers: { doi: '10.5555/waves' } }],
});
const WAVES = recordOf({ id: 'waves', title: 'Waves', abstract: 'They broke. It fell.' });
const VERIFY = { problemsMax: 10, onProgress: () => {} };

async function recordsOf(index: OperatorIndex): Promise<SourceRecord[]> {
  const records: SourceRecord[] = [];
  for await (const record of index.records()) records.push(record);
  return records;
}

/** Each damage is SQL that both kinds of tables understand, and what `verify` says of it. */
const damages: readonly (readonly [what: string, sql: string, problem: string])[] = [
  ['a changed title', "UPDATE documents SET title = 'Moon'", 'its fields do not match its hash'],
  [
    'places of sentences without their checksum',
    'UPDATE documents SET sentence_spans = substr(sentence_spans, 1, 12)',
    'places of its sentences are not what was written',
  ],
  ['a cut entry', 'UPDATE {forward} SET {entry} = substr({entry}, 1, 1)', 'expected, 0 stored'],
  ['a missing vector', 'DELETE FROM {forward}', 'vectors expected, 0 stored'],
  ['a wrong count', 'UPDATE term_counts SET documents = documents + 1', 'but term_counts says'],
  ['a missing count', 'DELETE FROM term_counts', 'terms without a count'],
  ['missing postings', 'DELETE FROM postings', 'lack 1 documents'],
  ['a missing record', 'DELETE FROM source_records', 'has no record of a source'],
  ['missing citations', 'DELETE FROM citations', 'the citation lists lack 1 citations'],
  ['a missing key', 'DELETE FROM record_keys', 'of its record is missing|of record 1 is missing'],
  ['missing keys of titles', 'DELETE FROM title_keys', 'a key of its title is missing'],
  ['missing keys of authors', 'DELETE FROM author_keys', 'a key of an author is missing'],
  [
    'a key without an author',
    'INSERT INTO author_keys {titleKey}',
    'keys of authors without a doc',
  ],
  ['a key without a title', 'INSERT INTO title_keys {titleKey}', 'keys of titles without a docum'],
];

export function testOperatorIndex(name: string, make: () => Promise<OperatedIndex>): void {
  describe(`an index on ${name}, as commands see it,`, () => {
    let own: OperatedIndex;

    beforeEach(async () => {
      own = await make();
    });

    afterEach(() => own.close());

    async function fill(): Promise<void> {
      const { builder } = own;
      const end = await builder.startBuild({ read: 0 });
      await arrive(builder, TIDES);
      await arrive(builder, WAVES);
      for await (const _ of builder.finish());
      await end('done', { read: 2 });
    }

    it('tells what it has, and of its builds', async () => {
      expect(await own.index.stats()).toMatchObject({ documents: 0, sentences: 0 });
      await fill();
      const { bytes, ...stats } = await own.index.stats();
      expect(stats).toMatchObject({
        documents: 2,
        sentences: 4,
        languages: [
          { language: 'en', documents: 1 },
          { language: null, documents: 1 },
        ],
        fields: [
          { field: 'Earth science', documents: 1 },
          { field: null, documents: 1 },
        ],
        model: toyModel,
      });
      expect(bytes).toBeGreaterThan(0);
      await own.builder.startBuild({ read: 1 });
      expect(await own.index.builds(9)).toMatchObject([
        { outcome: null, endedAt: null, report: { read: 1 } },
        { outcome: 'done', report: { read: 2 } },
      ]);
      expect(await own.index.builds(1)).toHaveLength(1);
    });

    it('finds a document by any form of its identifiers, with its files', async () => {
      await fill();
      const names = ['no such paper', ' tides', 'waves', 'https://doi.org/10.5555/TIDES', 'tides'];
      const found = await own.index.find(names);
      const ids = found.map((documents) => documents.map(({ merged }) => merged.document.id));
      expect(ids).toEqual([[], ['tides'], ['waves'], ['tides'], ['tides']]);
      expect(found[3]?.[0]).toMatchObject({
        merged: { document: { title: TIDES.title } },
        files: [{ path: 'toy.jsonl', format: 'toy' }],
      });
      expect(await own.index.find([])).toEqual([]);
    });

    it('removes documents, and takes them back when they are restored', async () => {
      await fill();
      await own.index.remove(['tides', 'unknown']);
      expect(await own.index.stats()).toMatchObject({ documents: 1, sentences: 2 });
      expect(await own.index.find(['10.5555/tides'])).toEqual([[]]);
      expect(await own.index.verify(VERIFY)).toEqual({ documents: 1, sentences: 2, problems: [] });
      expect(await arrive(own.builder, TIDES)).toBe('keptAway');
      expect(await own.index.stats()).toMatchObject({ documents: 1, removed: 1 });
      expect(await own.index.restore(['10.5555/tides'])).toEqual([1]);
      expect(await arrive(own.builder, TIDES)).toBe('added');
      expect(await own.index.verify(VERIFY)).toMatchObject({ documents: 2, problems: [] });
    });

    it('yields records that make the same documents again', async () => {
      expect(await recordsOf(own.index)).toEqual([]);
      await fill();
      const records = await recordsOf(own.index);
      expect(records).toMatchObject([
        {
          id: 'tides',
          abstract: TIDES.abstract,
          identifiers: { doi: '10.5555/tides' },
          details: TIDES.details,
          references: TIDES.references,
        },
        { id: 'waves', abstract: WAVES.abstract },
      ]);
    });

    it('is sound, empty and filled, and with documents behind the postings', async () => {
      expect((await own.index.verify(VERIFY)).problems).toEqual([]);
      await fill();
      await arrive(own.builder, recordOf({ id: 'moon', title: 'Moon', abstract: 'It shone.' }));
      const seen: number[] = [];
      const onProgress = (done: number): void => void seen.push(done);
      const report = await own.index.verify({ problemsMax: 10, onProgress });
      expect(report).toEqual({ documents: 3, sentences: 5, problems: [] });
    });

    testChanges(() => own);
    testCitations(() => own);
    testRemoval(() => own);
    testLists(() => own);

    it.each([...damages])('finds %s', async (_, sql, problem) => {
      await fill();
      await own.damage(sql);
      const { problems } = await own.index.verify({ ...VERIFY, problemsMax: 1_000 });
      expect(problems).toContainEqual(expect.stringMatching(problem));
    });
  });
}
