import { describe, expect, it } from 'vitest';
import { s2ApiFormat } from '../../../src/ingest/formats/s2-api.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { jsonLines } from '../index-files.ts';
import { entriesOf, fixture, recognizes, recordOf, sourceOf } from '../read-format.ts';

const page = JSON.parse(fixture('s2-api.json').toString());

const EELGRASS = {
  id: '10.5555/shore.21',
  title: 'Eelgrass holds the sand & the mud',
  abstract: 'Roots hold sand. They slow water.',
  year: 2019,
  authors: ['Anna Berg', 'Bo Dahl'],
  venue: 'Shore Letters',
  identifiers: {
    doi: '10.5555/shore.21',
    arxiv: '2012.00021',
    pmid: '9900021',
    pmcid: 'PMC7700021',
    s2: '121',
  },
  updatedAt: 0,
};
const RIPPLES = recordOf({
  id: 'SemanticScholar:ffffffffffffffffffffffffffffffffffffffff',
  title: 'Ripples',
  venue: 'Shore Letters',
  year: 2020,
});
const DUNES = recordOf({ id: 'CorpusId:123', title: 'Dunes', identifiers: { s2: '123' } });
const EXPECTED = [EELGRASS, RIPPLES, DUNES].map((document, index) => ({
  line: index + 1,
  document,
}));

describe('the s2-api format', () => {
  it.each([
    ['as it is sent', JSON.stringify(page)],
    ['over many lines', JSON.stringify(page, null, 2)],
    ['as a batch', JSON.stringify(page.data)],
    ['as recommendations', JSON.stringify({ recommendedPapers: page.data })],
    ['as JSON Lines', jsonLines(page.data)],
    ['with a token in front', JSON.stringify({ total: 3, token: 'QUJD', data: page.data })],
  ])('reads a page %s', async (_, content) => {
    expect((await recognizeFormat(sourceOf(content))).name).toBe('s2-api');
    expect(await entriesOf(s2ApiFormat, content)).toEqual(EXPECTED);
  });

  it.each([undefined, 2])('reads one paper, indented by %s', async (indent) => {
    const content = JSON.stringify(page.data[0], null, indent);
    expect(recognizes(s2ApiFormat, content)).toBe(true);
    expect(await entriesOf(s2ApiFormat, content)).toEqual(EXPECTED.slice(0, 1));
  });

  it.each(['citingPaper', 'citedPaper'])('reads the papers in a list of %s', async (field) => {
    const data = page.data.map((paper: object) => ({ contexts: ['It rose.'], [field]: paper }));
    const content = JSON.stringify({ offset: 0, next: 3, data });
    expect(recognizes(s2ApiFormat, content)).toBe(true);
    expect(await entriesOf(s2ApiFormat, content)).toEqual(EXPECTED);
  });

  it('reports an unknown id in a batch and continues', async () => {
    const content = JSON.stringify([null, page.data[0]]);
    expect(recognizes(s2ApiFormat, content)).toBe(true);
    expect(await entriesOf(s2ApiFormat, content)).toEqual([
      { line: 1, problem: 'not a JSON object', reason: 'malformed' },
      { line: 2, document: EELGRASS },
    ]);
  });
});
