import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeptRecord } from '../../../src/identity/kept-record.ts';
import { languageCode } from '../../../src/ingest/selection/language.ts';
import { createSmallestHashes, isSampled } from '../../../src/ingest/selection/sample.ts';
import { wholeSelection } from '../../../src/ingest/selection/selection.ts';
import { createSelector } from '../../../src/ingest/selection/selector.ts';

function recordOf(fields: Partial<KeptRecord>): KeptRecord {
  return {
    id: '',
    title: 'T',
    abstract: '',
    year: 0,
    authors: [],
    venue: '',
    identifiers: {},
    updatedAt: 0,
    source: '',
    part: 'record',
    ...fields,
  };
}

describe('languageCode', () => {
  it.each([
    ...[
      ['en', 'en'],
      ['eng', 'en'],
      ['en-US', 'en'],
      ['EN_us', 'en'],
      ['English', 'en'],
    ],
    // Codes of libraries, which PubMed uses, and of linguists.
    ...[
      ['ger', 'de'],
      ['deu', 'de'],
      ['fre', 'fr'],
      ['chi', 'zh'],
      ['dut', 'nl'],
    ],
    ...[
      ['und', ''],
      ['zxx', ''],
      ['', ''],
      ['mul', 'mul'],
      ['Klingonese', 'klingonese'],
    ],
  ] as [string, string][])('of %s is %s', (text, code) => {
    expect(languageCode(text)).toBe(code);
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(languageCode(text)).toBeTypeOf('string');
      }),
    );
  });
});

describe('a sample', () => {
  it('has as many records as are asked for, whatever their order, doubles counted once', () => {
    const ids = fc.array(fc.integer({ min: 0, max: 60 }).map(String), { maxLength: 200 });
    const size = fc.integer({ min: 1, max: 20 });
    fc.assert(
      fc.property(ids, size, fc.nat(), (own, records, seed) => {
        const sampleOf = (all: readonly string[]): string[] => {
          const marks = createSmallestHashes({ records, seed });
          for (const id of all) marks.add(recordOf({ id }));
          const mark = marks.threshold();
          return [...new Set(all)].filter((id) => isSampled(recordOf({ id }), seed, mark)).sort();
        };
        const sample = sampleOf(own);
        expect(sample).toHaveLength(Math.min(records, new Set(own).size));
        expect(sampleOf([...own].reverse())).toEqual(sample);
      }),
    );
  });

  it('has paper and abstract together, where they come apart', () => {
    const identifiers = { s2: '7' };
    const paper = recordOf({
      id: '10.5555/a',
      source: 's2',
      identifiers: { ...identifiers, doi: '10.5555/a' },
    });
    const abstract = recordOf({ source: 's2', part: 'abstract', identifiers });
    const marks = createSmallestHashes({ records: 1, seed: 1 });
    marks.add(paper);
    expect(isSampled(abstract, 1, marks.threshold())).toBe(true);
  });
});

describe('filters', () => {
  const selector = createSelector({
    ...wholeSelection,
    languages: ['en'],
    types: ['review'],
    withAbstract: true,
    years: { from: 2000, to: Infinity, withUnknown: false },
  });
  const about = { languages: ['fre', 'eng'], types: ['Journal Article', 'Review'], fields: [] };
  const paper = recordOf({ year: 2000, abstract: 'It rose.' });

  it('take a record of which one language and one type fit', () => {
    expect(selector.leftOut(paper, about)).toBeUndefined();
  });

  it('leave out what does not say, in the order of the filters', () => {
    expect(selector.leftOut(recordOf({}), undefined)).toBe('language');
    expect(selector.leftOut(recordOf({}), about)).toBe('year');
    expect(selector.leftOut(paper, { ...about, types: [] })).toBe('type');
    expect(selector.leftOut({ ...paper, abstract: ' ' }, about)).toBe('without_abstract');
  });

  it('take an abstract that comes apart from its paper', () => {
    expect(selector.leftOut(recordOf({ part: 'abstract' }), undefined)).toBeUndefined();
  });
});
