import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openalexFormat } from '../../../src/ingest/formats/openalex.ts';
import { jsonLines } from '../index-files.ts';
import { entriesOf, fixture, recognizes, recordOf } from '../read-format.ts';

describe('the openalex format', () => {
  it.each([undefined, 2])('reads an API page, indented by %s', async (indent) => {
    const works = fixture('openalex.jsonl').toString().split('\n').slice(0, 2);
    const page = {
      meta: { count: 2, db_response_time_ms: 7, page: 1, per_page: 25, groups_count: null },
      results: works.map((text) => JSON.parse(text)),
      group_by: [],
    };
    const content = JSON.stringify(page, null, indent);
    expect(recognizes(openalexFormat, content)).toBe(true);
    expect(await entriesOf(openalexFormat, content)).toEqual(
      await entriesOf(openalexFormat, works.join('\n')),
    );
    const one = JSON.stringify(page.results[0], null, indent);
    expect(recognizes(openalexFormat, one)).toBe(true);
    expect(await entriesOf(openalexFormat, one)).toHaveLength(1);
  });

  it('reads works', async () => {
    expect(await entriesOf(openalexFormat, fixture('openalex.jsonl'))).toEqual([
      {
        line: 1,
        document: {
          id: '10.5555/tides.1',
          title: 'Tides of the Wadden Sea & beyond',
          // Position 3 is a gap.
          abstract: 'The sea rises. Later The sea falls.',
          year: 2019,
          authors: ['Anna Berg', 'Bo Dahl'],
          venue: 'Journal of Shores',
          identifiers: {
            doi: '10.5555/tides.1',
            arxiv: '1901.00001',
            pmid: '31000001',
            pmcid: 'PMC6500001',
            openalex: 'W100',
          },
          updatedAt: Date.UTC(2024, 4, 1, 12, 0, 0, 123),
        },
      },
      {
        line: 2,
        document: {
          id: 'W101',
          title: 'A second title',
          // Two words at one place both stay; one word twice at one place is once.
          abstract: 'Positions two words of billions',
          year: 0,
          authors: [],
          venue: 'Old Venue',
          identifiers: { openalex: 'W101' },
          withheld: 'retracted',
          updatedAt: Date.UTC(2024, 4, 1),
        },
      },
      { line: 3, problem: 'not a paper but paratext', reason: 'not_a_paper' },
      { line: 4, problem: 'not a paper but paratext', reason: 'not_a_paper' },
      { line: 5, document: work('W104', 'Marked up', 2001, 'Clay < silt.\n\nSand.') },
      { line: 6, document: work('W105', 'Earlier form', 2002, 'Mud settles.') },
      {
        line: 7,
        problem: '"abstract_inverted_index" has -1 where a position is expected',
        reason: 'malformed',
      },
      {
        line: 8,
        problem: '"abstract_inverted_index" must have arrays of positions',
        reason: 'malformed',
      },
      {
        line: 9,
        document: work('W108', 'Names of properties', 2003, 'constructor __proto__ 2020'),
      },
      { line: 10, document: work('W109', 'No abstract', 2004, '') },
    ]);
  });

  it.each([
    ['half a position', { a: [0.5] }, 'has 0.5 where'],
    ['a position that JSON rounds', { a: [2 ** 60] }, 'has 1152921504606847000 where'],
    ['a text as position', { a: ['0'] }, 'has "0" where'],
    ['null as position', { a: [null] }, 'has null where'],
    ['an array as index', ['a'], 'must be an object'],
    ['a number as index', 5, 'must be an object'],
    ['a text that is no JSON', '{"a', 'not JSON'],
  ])('reports %s', async (_, index, problem) => {
    const record = { id: 'https://openalex.org/W1', abstract_inverted_index: index };
    const entries = await entriesOf(openalexFormat, jsonLines([record]));
    const expected = expect.stringContaining(problem);
    expect(entries).toEqual([{ line: 1, problem: expected, reason: 'malformed' }]);
  });

  it('rejects a long word that is repeated too often', async () => {
    const positions = Array.from({ length: 2000 }, (_, index) => index);
    const record = {
      id: 'https://openalex.org/W1',
      abstract_inverted_index: { ['a'.repeat(10_000)]: positions },
    };
    const entries = await entriesOf(openalexFormat, jsonLines([record]));
    expect(entries).toMatchObject([{ line: 1, reason: 'too_long' }]);
  });

  it('rebuilds any abstract of words separated by single spaces', async () => {
    const word = fc.stringMatching(/^[A-Za-zé.,()0-9]{1,8}$/);
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1 }), async (words) => {
        const index: Record<string, number[]> = Object.create(null);
        for (const [position, text] of words.entries()) {
          index[text] = [...(index[text] ?? []), position];
        }
        const record = { id: 'https://openalex.org/W1', abstract_inverted_index: index };
        const [entry] = await entriesOf(openalexFormat, jsonLines([record]));
        const abstract = words.join(' ').replace(/^abstract\s*[:.–—-]\s*/i, '');
        expect(entry).toMatchObject({ document: { abstract } });
      }),
    );
  });

  it.each([
    [true, 'a work', { id: 'https://openalex.org/W1', title: 'Tides' }],
    [false, 'an author', { id: 'https://openalex.org/A1', display_name: 'Anna Berg' }],
    [false, 'another id', { id: 'W1', title: 'Tides' }],
    [false, 'a number as id', { id: 1, title: 'Tides' }],
  ])('recognizes() returns %s for %s', (expected, _, record) => {
    expect(recognizes(openalexFormat, jsonLines([record]))).toBe(expected);
  });
});

function work(openalex: string, title: string, year: number, abstract: string) {
  return recordOf({ id: openalex, title, year, abstract, identifiers: { openalex } });
}
