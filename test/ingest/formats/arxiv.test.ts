import { describe, expect, it } from 'vitest';
import { arxivFormat } from '../../../src/ingest/formats/arxiv.ts';
import { jsonLines } from '../index-files.ts';
import { entriesOf, fixture, recognizes, recordOf } from '../read-format.ts';

describe('the arxiv format', () => {
  it('reads the snapshot', async () => {
    expect(await entriesOf(arxivFormat, fixture('arxiv.jsonl'))).toEqual([
      {
        line: 1,
        document: {
          id: '10.5555/shores.12',
          title: 'Calculation of tides at shallow shores',
          abstract: 'We compute tides in shallow water. They agree.',
          // Of version 1, in UTC, and not of version 10 or of the first that is listed.
          year: 2006,
          authors: ['Anna Berg', 'K. Gödel Jr.', 'Tide Collaboration'],
          venue: 'J.Shores 12 (2008) 34',
          identifiers: { doi: '10.5555/shores.12', arxiv: '0704.0001' },
          updatedAt: Date.UTC(2008, 10, 26),
        },
      },
      {
        line: 2,
        document: recordOf({
          id: 'arXiv:hep-th/9901001',
          title: 'An old paper',
          abstract: 'First paragraph.\n\nSecond paragraph.',
          year: 1999,
          authors: ['A. Berg', 'B. Dahl'],
          identifiers: { arxiv: 'hep-th/9901001' },
          updatedAt: Date.UTC(2009, 9, 31),
        }),
      },
      {
        line: 3,
        document: recordOf({
          id: 'arXiv:2401.00001',
          title: 'Gone',
          abstract: 'This paper has been withdrawn by the author.',
          year: 2024,
          authors: ['A. Berg'],
          identifiers: { arxiv: '2401.00001' },
          withheld: 'withdrawn',
        }),
      },
      {
        line: 4,
        problem: '"id" must be a string or a whole number below 2^53, not 704.0001',
        reason: 'malformed',
      },
      { line: 5, problem: '"title" must be a string, not an array', reason: 'malformed' },
      {
        line: 6,
        document: recordOf({
          id: 'arXiv:2401.00003',
          title: 'Nothing known',
          identifiers: { arxiv: '2401.00003' },
        }),
      },
    ]);
  });

  it.each([
    [true, 'a record', { id: '0704.0001', authors_parsed: [] }],
    [true, 'a record of an early snapshot', { id: '0704.0001', categories: ['math.AP'] }],
    [false, 'one of ours', { id: 'arXiv:0704.0001', title: 'Tides' }],
    [false, 'categories alone', { categories: 'math.AP', title: 'Tides' }],
    [false, 'our own with more fields', { id: 'a', authors: ['A. Berg'], categories: ['cs.CV'] }],
  ])('recognizes() returns %s for %s', (expected, _, record) => {
    expect(recognizes(arxivFormat, jsonLines([record]))).toBe(expected);
  });
});
