import { describe, expect, it } from 'vitest';
import { type KeptRecord, personalSource } from '../../../src/identity/kept-record.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import {
  createIndexSummarizer,
  type IndexSummary,
} from '../../../src/index/facets/index-summary.ts';
import { startBuild } from '../../../src/index/records/builds.ts';
import type { PaperDetails } from '../../../src/types.ts';
import { recordOf } from '../../identity/records.ts';
import { expectSound, memoryIndex } from '../memory-index.ts';
import { arrive } from '../toy-incoming-records.ts';

function summaryOf(records: readonly Partial<KeptRecord>[]): IndexSummary {
  const db = memoryIndex();
  const writer = createIndexWriter(db);
  for (const [at, fields] of records.entries()) {
    arrive(writer, recordOf({ id: `paper-${at + 1}`, title: `Paper ${at + 1}`, ...fields }));
  }
  return createIndexSummarizer(db)();
}

describe('a summary of an index', () => {
  it('counts papers and sentences, and the papers of each public source, most first', () => {
    const summary = summaryOf([
      { year: 2001, abstract: 'A shore. A sea.', source: 'arxiv' },
      { year: 1998, source: 'doi' },
      { year: 2020, source: 'doi' },
      { year: 0, source: '' },
      { year: 0, source: personalSource('secret-project.bib') },
    ]);
    expect(summary).toMatchObject({
      documents: 5,
      years: { from: 1998, to: 2020 },
      sources: [
        { name: 'doi', documents: 2 },
        { name: 'arxiv', documents: 1 },
      ],
    });
    expect(summary.sentences).toBeGreaterThan(0);
  });

  it('never names the operator’s own files', () => {
    const summary = summaryOf([{ source: personalSource('secret-project.bib') }]);
    expect(JSON.stringify(summary)).not.toContain('secret-project');
  });

  it('has no years if none is known, and one if all are the same', () => {
    expect(summaryOf([{ year: 0 }]).years).toBeUndefined();
    expect(summaryOf([{ year: 1999 }, { year: 0 }]).years).toEqual({ from: 1999, to: 1999 });
  });

  it('counts the papers of each year, latest first', () => {
    const years = [{ year: 2001 }, { year: 0 }, { year: 2003 }, { year: 2001 }];
    expect(summaryOf(years).yearCounts).toEqual([
      { year: 2003, documents: 1 },
      { year: 2001, documents: 2 },
      { year: 0, documents: 1 },
    ]);
  });

  it('counts the papers in each language and field, most first, and last what is not known', () => {
    const details: PaperDetails[] = [
      {},
      {},
      { language: 'de', field: 'Law' },
      { language: 'en' },
      { language: 'en', field: 'Physics' },
      { field: 'Physics' },
      { language: 'grc' },
    ];
    expect(summaryOf(details.map((one) => ({ details: one })))).toMatchObject({
      languages: [
        { language: 'en', documents: 2 },
        { language: 'de', documents: 1 },
        { language: 'grc', documents: 1 },
        { language: null, documents: 3 },
      ],
      fields: [
        { field: 'Physics', documents: 2 },
        { field: 'Law', documents: 1 },
        { field: null, documents: 4 },
      ],
    });
  });

  it('follows changes and removals of papers', () => {
    const db = memoryIndex();
    const writer = createIndexWriter(db);
    const tides = recordOf({ id: 'tides', title: 'Tides', details: { field: 'Law' } });
    expect(arrive(writer, tides)).toBe('added');
    expect(arrive(writer, tides)).toBe('unchanged');
    expect(arrive(writer, { ...tides, details: { field: 'Physics' } })).toBe('updated');
    expect(createIndexSummarizer(db)().fields).toEqual([{ field: 'Physics', documents: 1 }]);
    expect(arrive(writer, { ...tides, details: { language: 'en' } })).toBe('updated');
    expect(createIndexSummarizer(db)()).toMatchObject({
      languages: [{ language: 'en', documents: 1 }],
      fields: [{ field: null, documents: 1 }],
    });
    expectSound(db);
    writer.remove(['tides']);
    expect(createIndexSummarizer(db)()).toMatchObject({ languages: [], fields: [] });
  });

  it('leaves a few wrong years out of the range', () => {
    const usual = Array.from({ length: 1_500 }, (_, at) => ({ year: 1990 + (at % 30) }));
    const { years } = summaryOf([{ year: 3 }, ...usual, { year: 9999 }]);
    expect(years).toEqual({ from: 1990, to: 2019 });
  });

  it('says nothing of an empty index but when it was built', () => {
    const db = memoryIndex();
    const summarize = createIndexSummarizer(db);
    const none = { years: undefined, yearCounts: [], sources: [], languages: [], fields: [] };
    const nothing = { documents: 0, sentences: 0, ...none };
    expect(summarize()).toEqual({ ...nothing, updatedAt: undefined });
    startBuild(db, {})('done', {});
    expect(summarize()).toEqual({ ...nothing, updatedAt: expect.any(Number) });
  });
});
