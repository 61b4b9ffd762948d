import { describe, expect, it } from 'vitest';
import { beirFormat } from '../../../src/ingest/formats/beir.ts';
import { jsonLines } from '../index-files.ts';
import { entriesOf, recognizes, recordOf } from '../read-format.ts';

const BEIR = { _id: '1', title: 'Tides', text: 'The sea rises.' };
const document = recordOf({ id: '1', title: 'Tides', abstract: 'The sea rises.' });

describe('the beir format', () => {
  it.each([
    ['no metadata', BEIR, document],
    ['empty metadata', { ...BEIR, metadata: {} }, document],
    ['metadata of another kind', { ...BEIR, metadata: [] }, document],
    ['a number as id', { ...BEIR, _id: 1 }, document],
    ['no title', { _id: '1', text: 'The sea rises.' }, { ...document, title: '' }],
    ['an empty text', { ...BEIR, text: '' }, { ...document, abstract: '' }],
    [
      'year and authors in the metadata',
      { ...BEIR, metadata: { year: '1998', authors: ['A. Berg'] } },
      { ...document, year: 1998, authors: ['A. Berg'] },
    ],
    ['authors as one text', { ...BEIR, metadata: { authors: 'A. Berg' } }, document],
    [
      'a PubMed id in the metadata',
      { ...BEIR, metadata: { url: 'https://example.org/', pubmed_id: '0012' } },
      { ...document, identifiers: { pmid: '12' } },
    ],
  ])('reads %s', async (_, record, expected) => {
    const entries = await entriesOf(beirFormat, jsonLines([record]));
    expect(entries).toEqual([{ line: 1, document: expected }]);
  });

  it.each([
    ['_id', { ...BEIR, _id: {} }],
    ['title', { ...BEIR, title: 5 }],
    ['text', { ...BEIR, text: ['It rose.'] }],
    ['year', { ...BEIR, metadata: { year: 'MCM' } }],
    ['authors', { ...BEIR, metadata: { authors: [5] } }],
  ])('names the field %s if it has the wrong type', async (field, record) => {
    const problem = expect.stringContaining(`"${field}" must be `);
    const entries = await entriesOf(beirFormat, jsonLines([record]));
    expect(entries).toEqual([{ line: 1, problem, reason: 'malformed' }]);
  });

  it.each([
    [true, 'a corpus', BEIR],
    [true, 'a corpus with other fields', { ...BEIR, id: 'a', abstract: '' }],
    [false, 'queries', { id: '1', text: 'Does the sea rise?' }],
    [false, 'a corpus without texts', { _id: '1', title: 'Tides' }],
  ])('recognizes() returns %s for %s', (expected, _, record) => {
    expect(recognizes(beirFormat, jsonLines([record]))).toBe(expected);
  });
});
