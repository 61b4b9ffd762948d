import { describe, expect, it } from 'vitest';
import { dataciteFormat } from '../../../src/ingest/formats/datacite.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { entriesOf, fixture, recordOf, sourceOf } from '../read-format.ts';

const SAND = {
  line: 1,
  document: {
    id: '10.5555/sand.101',
    title: 'The sand',
    abstract: 'Sand moves.\n\nIt stops.',
    year: 2017,
    authors: ['Anna Berg', 'Shore, Institute of', 'Bo Dahl'],
    venue: 'Shore Papers',
    identifiers: { doi: '10.5555/sand.101', arxiv: '1701.00101' },
    references: [{ identifiers: { arxiv: '1601.00001' } }],
    updatedAt: Date.UTC(2020, 0, 2, 3, 4, 5),
  },
};
const EXPECTED = [
  SAND,
  { line: 2, problem: 'not a paper but Dataset', reason: 'not_a_paper' },
  {
    line: 3,
    document: recordOf({
      id: '10.5555/mud.103',
      title: 'Mud',
      venue: 'Shore Archive',
      identifiers: { doi: '10.5555/mud.103' },
    }),
  },
];

describe('the datacite format', () => {
  const lines = fixture('datacite.jsonl').toString();
  const data = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const one = { data: data[0], included: [] };

  it.each([
    ['lines', lines, EXPECTED],
    ['a page', JSON.stringify({ data, meta: { total: 3 }, links: {} }), EXPECTED],
    ['a page over many lines', JSON.stringify({ data, meta: {} }, null, 2), EXPECTED],
    ['one DOI', JSON.stringify(one), [SAND]],
    ['one DOI over many lines', JSON.stringify(one, null, 2), [SAND]],
    ['DataCite JSON', JSON.stringify(data[0].attributes, null, 2), [SAND]],
  ])('reads %s', async (_, content, expected) => {
    expect((await recognizeFormat(sourceOf(content))).name).toBe('datacite');
    expect(await entriesOf(dataciteFormat, content)).toEqual(expected);
  });

  it('finds the DOI among the identifiers, as in version 4.3 of DataCite JSON', async () => {
    const { doi, ...attributes } = data[0].attributes;
    const identifiers = [
      { identifierType: 'ISBN', identifier: '978-0-00-000000-2' },
      { identifierType: 'DOI', identifier: doi },
    ];
    const content = JSON.stringify({ ...attributes, identifiers }, null, 2);
    expect((await recognizeFormat(sourceOf(content))).name).toBe('datacite');
    expect(await entriesOf(dataciteFormat, content)).toEqual([SAND]);
  });

  it('reads versions 4.0 and 4.1 of DataCite JSON', async () => {
    const mud = {
      identifier: { identifier: '10.5555/mud.104', identifierType: 'DOI' },
      creators: [{ creatorName: 'Berg, Anna' }],
      titles: [{ title: 'Mud' }],
      publicationYear: '2014',
      resourceType: { resourceTypeGeneral: 'Text', resourceType: 'Article' },
    };
    const data = { ...mud, resourceType: { resourceTypeGeneral: 'Software' } };
    const content = JSON.stringify([mud, data]);
    expect((await recognizeFormat(sourceOf(content))).name).toBe('datacite');
    expect(await entriesOf(dataciteFormat, content)).toMatchObject([
      { document: { id: '10.5555/mud.104', authors: ['Anna Berg'], year: 2014 } },
      { problem: 'not a paper but Software' },
    ]);
  });
});
