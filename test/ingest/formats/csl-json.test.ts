import { describe, expect, it } from 'vitest';
import { cslJsonFormat } from '../../../src/ingest/formats/csl-json.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { jsonLines } from '../index-files.ts';
import { entriesOf, fixture, recognizes, recordOf, sourceOf } from '../read-format.ts';

const EXPECTED = [
  {
    line: 1,
    document: {
      id: '10.5555/tides.1',
      title: 'Tides of the Wadden Sea',
      abstract: 'The sea rises.',
      year: 2020,
      authors: ['Anna Berg', 'Ludwig van Beethoven Jr.', 'Shore Group', 'Mononym'],
      venue: 'Journal of Shores',
      identifiers: { doi: '10.5555/tides.1', pmid: '31000001', pmcid: 'PMC6500001' },
      updatedAt: 0,
    },
  },
  { line: 2, document: local('dahl', 'In words', { year: 2019 }) },
  { line: 3, document: local('ek', 'In other words', { year: 2018 }) },
  { line: 4, document: preprint('2401.00001', 'On arXiv', 2024) },
  { line: 5, document: preprint('2401.00002', 'On arXiv too', 0) },
  { line: 6, document: preprint('2401.00003', 'At its address', 0) },
  { line: 7, document: local('dahl', 'The same key for another', { venue: 'Array' }) },
  { line: 8, document: local('fox', 'By its key', { venue: 'Books' }) },
  { line: 9, problem: '"id" must be a string, not an array', reason: 'malformed' },
  { line: 10, problem: 'not a JSON object', reason: 'malformed' },
];

describe('the csl-json format', () => {
  it('reads an array', async () => {
    expect(await entriesOf(cslJsonFormat, fixture('csl.json'))).toEqual(EXPECTED);
  });

  it('reads one item per line, and a single item over many lines', async () => {
    const items = JSON.parse(fixture('csl.json').toString());
    expect(await entriesOf(cslJsonFormat, jsonLines(items))).toEqual(EXPECTED);
    const one = JSON.stringify(items[0], undefined, 2);
    expect(recognizes(cslJsonFormat, one)).toBe(true);
    expect(await entriesOf(cslJsonFormat, one)).toEqual([EXPECTED[0]]);
  });

  const item = { id: 'a', type: 'book', title: 'Tides', issued: { 'date-parts': [[2020]] } };
  it.each([
    [true, 'an array', JSON.stringify([item])],
    [true, 'an item in a line', jsonLines([item])],
    [true, 'an author by parts', jsonLines([{ ...item, issued: 0, author: [{ family: 'B' }] }])],
    [false, 'an item without a type', jsonLines([{ ...item, type: undefined }])],
    [false, 'one of ours with a type', jsonLines([{ id: 'a', type: 'book', title: 'Tides' }])],
    [false, 'a work of Crossref', jsonLines([{ ...item, title: ['Tides'] }])],
    [false, 'an empty array', '[]'],
  ])('recognizes() returns %s for %s', (expected, _, content) => {
    expect(recognizes(cslJsonFormat, content)).toBe(expected);
  });
});

function local(name: string, title: string, fields: { year?: number; venue?: string }) {
  return recordOf({ id: name, title, ...fields });
}

function preprint(arxiv: string, title: string, year: number) {
  return recordOf({ id: `arXiv:${arxiv}`, title, year, identifiers: { arxiv } });
}

it("recognizes DataCite's records, which have categories as arXiv's do", async () => {
  const content = JSON.stringify({
    type: 'article-journal',
    id: 'https://doi.org/10.5555/data.1',
    categories: ['Tides'],
    author: [{ family: 'Berg', given: 'Anna' }],
    issued: { 'date-parts': [[2020]] },
    title: 'Tides',
    DOI: '10.5555/data.1',
  });
  expect((await recognizeFormat(sourceOf(content))).name).toBe('csl-json');
});
