/** Incoming records: the documents that they make, and the texts that are embedded again. */
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import type { KeptRecord } from '../../../src/identity/kept-record.ts';
import { createIndexWriter, type IndexWriter } from '../../../src/index/documents/index-writer.ts';
import { readTotals } from '../../../src/index/index-facts.ts';
import { RECORDS_PER_GROUP_MAX } from '../../../src/index/records/gather-records.ts';
import { recordOf } from '../../identity/records.ts';
import { scratchFolder } from '../../ingest/index-files.ts';
import { emptyIndex, expectSound, memoryIndex } from '../memory-index.ts';
import {
  arrive,
  documentsIn,
  incomingRecordOf,
  takeBack,
  toyChange,
} from '../toy-incoming-records.ts';

const PREPRINT = recordOf({
  source: 'arxiv',
  id: 'arXiv:2401.00001',
  identifiers: { arxiv: '2401.00001' },
  title: 'How the tides of the North Sea rise',
  abstract: 'It rose. It fell.',
  year: 2024,
  authors: ['A. Berg'],
});
const PUBLISHED = recordOf({
  source: 'doi',
  id: '10.5555/tides',
  identifiers: { doi: '10.5555/tides' },
  title: 'How the tides of the North Sea rise',
  year: 2025,
  authors: ['Anna Berg'],
  venue: 'Shore',
});
const OTHER = recordOf({
  source: 'pmid',
  id: 'PMID:7',
  identifiers: { pmid: '7' },
  title: 'What the moon does',
});
const ABSTRACT = recordOf({
  source: 's2',
  part: 'abstract',
  id: '',
  identifiers: { s2: '5' },
  abstract: 'It stood.',
});
const S2 = recordOf({
  source: 's2',
  id: 'CorpusId:5',
  identifiers: { s2: '5' },
  title: 'What the moon does',
});

function open(): { db: Connection; writer: IndexWriter } {
  const db = memoryIndex();
  return { db, writer: createIndexWriter(db) };
}

const idsIn = (db: Connection): string[] => documentsIn(db).map(({ id }) => id);
const numbersIn = (db: Connection): unknown[] =>
  db.prepare('SELECT number FROM documents').pluck().all();

describe('an incoming record', () => {
  it('joins the document of its preprint and determines its id and venue', () => {
    const { db, writer } = open();
    expect(arrive(writer, PREPRINT)).toBe('added');
    expect(arrive(writer, PUBLISHED)).toBe('merged');
    expect(documentsIn(db)).toEqual([
      {
        id: '10.5555/tides',
        title: PREPRINT.title,
        abstract: PREPRINT.abstract,
        year: 2025,
        authors: ['Anna Berg'],
        venue: 'Shore',
        updatedAt: 0,
        identifiers: { doi: '10.5555/tides', arxiv: '2401.00001' },
      },
    ]);
    expectSound(db);
  });

  it('merges two documents that it connects', () => {
    const { db, writer } = open();
    arrive(writer, PREPRINT);
    arrive(writer, OTHER);
    const both = {
      ...PUBLISHED,
      identifiers: { doi: '10.5555/tides', arxiv: '2401.00001', pmid: '7' },
    };
    expect(arrive(writer, both)).toBe('merged');
    expect(idsIn(db)).toEqual(['10.5555/tides']);
    expect(readTotals(db).documents).toBe(1);
    expectSound(db);
  });

  it('separates documents that only its earlier version connected', () => {
    const { db, writer } = open();
    arrive(writer, PREPRINT);
    arrive(writer, OTHER);
    const both = {
      ...PUBLISHED,
      title: 'x',
      identifiers: { doi: '10.5555/tides', arxiv: '2401.00001', pmid: '7' },
    };
    arrive(writer, both);
    expect(arrive(writer, { ...PUBLISHED, title: 'x' })).toBe('updated');
    expect(idsIn(db)).toEqual(['10.5555/tides', 'PMID:7', 'arXiv:2401.00001']);
    expectSound(db);
  });

  it('replaces an earlier record of its source under any id', () => {
    const { db, writer } = open();
    arrive(writer, PREPRINT);
    const withDoi = {
      ...PREPRINT,
      id: '10.5555/tides',
      identifiers: { arxiv: '2401.00001', doi: '10.5555/tides' },
    };
    expect(arrive(writer, withDoi)).toBe('updated');
    expect(idsIn(db)).toEqual(['10.5555/tides']);
    expectSound(db);
  });

  it.each<[what: string, earlier: number, later: number, outcome: string, title: string]>([
    ['a newer one', 1, 2, 'updated', 'New'],
    ['an older one, which is left', 2, 1, 'unchanged', 'Old'],
    ['one of the same time', 1, 1, 'updated', 'New'],
    ['one without a time', 2, 0, 'updated', 'New'],
  ])('is replaced by %s', (_, earlier, later, outcome, title) => {
    const { db, writer } = open();
    arrive(writer, { ...OTHER, title: 'Old', updatedAt: earlier });
    expect(arrive(writer, { ...OTHER, title: 'New', updatedAt: later })).toBe(outcome);
    expect(documentsIn(db).map((document) => document.title)).toEqual([title]);
    expectSound(db);
  });

  it.each<[what: string, change: Partial<KeptRecord>, isEmbedded: boolean]>([
    ['year', { year: 1998 }, false],
    ['authors', { authors: ['B. Dahl'] }, false],
    ['venue', { venue: 'Shore' }, false],
    [
      'identifiers and id',
      { id: 'PMC3', identifiers: { arxiv: '2401.00001', pmcid: 'PMC3' } },
      false,
    ],
    ['being withdrawn', { withheld: 'withdrawn' }, false],
    ['title', { title: 'How the tides of the North Sea fall' }, true],
    ['abstract', { abstract: 'It rose.' }, true],
  ])('is embedded again only if its text changed: %s', (_, change, isEmbedded) => {
    const { db, writer } = open();
    arrive(writer, PREPRINT);
    const packed = db.prepare('SELECT packed FROM signals').pluck().get();
    const { planned, contents, incoming } = toyChange(
      writer,
      incomingRecordOf({ ...PREPRINT, ...change }),
    );
    expect(planned.outcome).toBe('updated');
    expect(contents.size).toBe(isEmbedded ? 1 : 0);
    expect(writer.apply([{ planned, contents, incoming }])).toEqual([]);
    if (!isEmbedded) {
      expect(numbersIn(db)).toEqual([1]);
      expect(db.prepare('SELECT packed FROM signals').pluck().get()).toEqual(packed);
    }
    expectSound(db);
  });

  it('of a series stays separate, even if other records connect two of the series', () => {
    const { db, writer } = open();
    const issue = {
      title: 'Proceedings of the society of the tides',
      year: 2024,
      authors: ['A. Berg'],
    };
    for (let i = 0; i < 8; i++) arrive(writer, recordOf({ ...issue, id: `issue ${i}` }));
    const [pmid, s2] = [{ pmid: '7' }, { s2: '5' }];
    arrive(writer, recordOf({ ...issue, source: 'pmid', id: 'PMID:7', identifiers: pmid }));
    arrive(writer, recordOf({ ...issue, source: 's2', id: 'CorpusId:5', identifiers: s2 }));
    const other = { ...issue, title: 'A title that both of them have besides' };
    arrive(writer, recordOf({ ...other, source: 'acl', id: 'x', identifiers: pmid, year: 2020 }));
    arrive(writer, recordOf({ ...other, source: 'doi', id: 'y', identifiers: s2 }));
    expect(readTotals(db).documents).toBe(10);
    expectSound(db);
  });

  it('is refused if it would join too many records for one paper', () => {
    const { db, writer } = open();
    for (let i = 0; i < RECORDS_PER_GROUP_MAX; i++) {
      const identifiers = { doi: '10.5555/rubbish', openalex: `W${i}` };
      arrive(writer, recordOf({ ...S2, source: 'openalex', id: `W${i}`, identifiers }));
    }
    const further = {
      ...PUBLISHED,
      id: '10.5555/rubbish',
      identifiers: { doi: '10.5555/rubbish' },
    };
    expect(arrive(writer, further)).toBe('merged');
    expect(writer.plan(incomingRecordOf({ ...further, source: 'pmid' })).outcome).toBe('refused');
    expect(readTotals(db).documents).toBe(1);
    expectSound(db);
  });
});

describe('an abstract without a paper', () => {
  it('waits for its paper and then joins it', () => {
    const { db, writer } = open();
    expect(arrive(writer, ABSTRACT)).toBe('waiting');
    expect(readTotals(db).documents).toBe(0);
    expectSound(db);
    expect(arrive(writer, S2)).toBe('added');
    expect(documentsIn(db)).toMatchObject([{ id: 'CorpusId:5', abstract: 'It stood.' }]);
    expectSound(db);
  });

  it('joins an existing paper', () => {
    const { db, writer } = open();
    arrive(writer, S2);
    expect(arrive(writer, ABSTRACT)).toBe('merged');
    expect(documentsIn(db)).toMatchObject([{ id: 'CorpusId:5', abstract: 'It stood.' }]);
    expect(arrive(writer, ABSTRACT)).toBe('unchanged');
    expectSound(db);
  });

  it('waits again when the paper is deleted', () => {
    const { db, writer } = open();
    arrive(writer, ABSTRACT);
    arrive(writer, { ...OTHER, identifiers: { pmid: '7', s2: '5' } });
    expect(takeBack(writer, 'pmid', { pmid: '7' })).toBe('deleted');
    expect(readTotals(db).documents).toBe(0);
    expectSound(db);
    arrive(writer, S2);
    expect(documentsIn(db)).toMatchObject([{ abstract: 'It stood.' }]);
  });
});

describe('a deletion by a source', () => {
  it('deletes only the record of that source', () => {
    const { db, writer } = open();
    arrive(writer, PREPRINT);
    arrive(writer, PUBLISHED);
    expect(takeBack(writer, 'doi', { doi: '10.5555/tides' })).toBe('deleted');
    expect(documentsIn(db)).toMatchObject([{ id: 'arXiv:2401.00001', venue: '', year: 2024 }]);
    expectSound(db);
  });

  it('deletes the document if no other source has it', () => {
    const { db, writer } = open();
    arrive(writer, OTHER);
    expect(takeBack(writer, 'arxiv', { pmid: '7' })).toBe('unchanged');
    expect(idsIn(db)).toEqual(['PMID:7']);
    expect(takeBack(writer, 'pmid', { pmid: '7' })).toBe('deleted');
    expect(takeBack(writer, 'pmid', { pmid: '7' })).toBe('unchanged');
    expect(idsIn(db)).toEqual([]);
    expectSound(db);
  });
});

describe('two writers', () => {
  it('report stale changes and apply the others', async () => {
    const path = `${await scratchFolder()}/index.db`;
    const [mine, theirs] = [emptyIndex(path), emptyIndex(path)].map(createIndexWriter) as [
      IndexWriter,
      IndexWriter,
    ];
    const changes = [PREPRINT, OTHER].map((record) => toyChange(mine, incomingRecordOf(record)));
    expect(arrive(theirs, PUBLISHED)).toBe('added');
    expect(mine.apply(changes)).toEqual([changes[0]]);
    expect(arrive(mine, PREPRINT)).toBe('merged');
    const db = emptyIndex(path);
    expect(idsIn(db)).toEqual(['10.5555/tides', 'PMID:7']);
    expectSound(db);
  });
});
