import { describe, expect, it } from 'vitest';
import { crossrefFormat } from '../../../src/ingest/formats/crossref.ts';
import { jsonLines } from '../index-files.ts';
import { entriesOf, fixture, recognizes, recordOf } from '../read-format.ts';

const EXPECTED = [
  {
    line: 1,
    document: {
      id: '10.5555/shore.1',
      title: 'Growth of Zostera & others in summer',
      abstract:
        'Background:\n\nThe Zostera beds grow < 2 m; area is x2.\n\nResults:\n\nH2S kills them.',
      year: 2020,
      authors: ['Anna Berg', 'Bo Dahl Jr.', 'Shore Group', 'Ek'],
      venue: 'Journal of Shores & Seas',
      identifiers: { doi: '10.5555/shore.1', arxiv: '2012.00001' },
      updatedAt: 1714521600000,
    },
  },
  {
    line: 2,
    document: recordOf({
      ...paper('2', '', 2019),
      abstract: 'No prefix.\n\nTwo paragraphs.',
      updatedAt: 1714608000000,
    }),
  },
  { line: 3, problem: 'not a paper but component', reason: 'not_a_paper' },
  { line: 4, problem: 'not a paper but peer-review', reason: 'not_a_paper' },
  { line: 5, problem: 'not a paper but grant', reason: 'not_a_paper' },
  { line: 6, problem: 'not a paper but journal', reason: 'not_a_paper' },
  notice(7, 'retraction', '1', { date: '2021-03-09', id: '7', withheld: 'retracted' }),
  notice(7, 'correction', '2', { id: '7' }),
  { line: 8, document: paper('8', 'Erratum', 2021) },
  notice(8, 'correction', '1', { id: '8' }),
  {
    line: 9,
    document: {
      ...paper('9', 'A paper that was turned into its notice', 2021),
      withheld: 'retracted',
    },
  },
  notice(9, 'retraction', '9', { id: '9', withheld: 'retracted' }),
  { line: 10, document: { ...paper('10', 'Known by its update', 2021), withheld: 'withdrawn' } },
  notice(10, 'correction', '10', { id: 'x' }),
  notice(10, 'withdrawal', '10', { date: '2022-05', id: 'y', withheld: 'withdrawn' }),
  // By its title, which is looked at for all formats alike.
  { line: 11, document: paper('11', 'RETRACTED: Sand moves', 2021) },
  { line: 12, document: recordOf({ title: 'A number as DOI' }) },
  {
    line: 13,
    document: { ...paper('12', 'Escaped twice over', 2018), abstract: 'Clay & silt.' },
  },
];

describe('the crossref format', () => {
  it.each(['crossref.jsonl', 'crossref-items.json'])('reads works in %s', async (name) => {
    expect(await entriesOf(crossrefFormat, fixture(name))).toEqual(EXPECTED);
  });

  it('reads an API response', async () => {
    const { items } = JSON.parse(fixture('crossref-items.json').toString());
    const message = { facets: {}, 'total-results': 13, items, query: { 'search-terms': [{}] } };
    const content = JSON.stringify({ status: 'ok', message });
    expect(recognizes(crossrefFormat, content)).toBe(true);
    expect(await entriesOf(crossrefFormat, content)).toEqual(EXPECTED);
  });

  it.each([undefined, 2])('reads a response about one work, indented by %s', async (indent) => {
    const [message] = JSON.parse(fixture('crossref-items.json').toString()).items;
    const versions = { 'message-type': 'work', 'message-version': '1.0.0' };
    const content = JSON.stringify({ status: 'ok', ...versions, message }, null, indent);
    expect(recognizes(crossrefFormat, content)).toBe(true);
    // One that is longer than the head of a file is recognized by what stands in front of it.
    expect(recognizes(crossrefFormat, content.slice(0, 200), false)).toBe(true);
    expect(await entriesOf(crossrefFormat, content)).toEqual(EXPECTED.slice(0, 1));
  });

  it('reads records of which only the notices were asked for', async () => {
    const [line, about] = [1, 'a'];
    const updates = [{ DOI: `10.5555/shore.${about}`, type: 'correction' }];
    const own = { DOI: '10.5555/shore.9', 'update-to': updates };
    const version = { ...own, 'update-to': [{ ...updates[0], type: 'new_version' }] };
    const content = JSON.stringify({ status: 'ok', message: { items: [own, version] } });
    const expected = notice(line, 'correction', about, { id: '9' });
    expect(await entriesOf(crossrefFormat, content)).toEqual([expected]);
  });

  const work = { DOI: '10.5555/a', type: 'journal-article', title: ['Tides'] };
  it.each([
    [true, 'a work in a line', jsonLines([work])],
    [true, 'works in an object', JSON.stringify({ items: [work, work] })],
    [true, 'works in an array', JSON.stringify([work])],
    [
      true,
      'the start of a work that is longer than the head',
      JSON.stringify({ items: [{ indexed: {}, DOI: '10.5555/a', reference: ['a'.repeat(1e5)] }] }),
    ],
    [false, 'an item of CSL-JSON', jsonLines([{ ...work, title: 'Tides' }])],
    [false, 'an object of no works', JSON.stringify({ items: [] })],
    [false, 'a work without a DOI', jsonLines([{ title: ['Tides'] }])],
  ])('recognizes() returns %s for %s', (expected, _, content) => {
    const head = content.slice(0, 64 * 1024);
    expect(recognizes(crossrefFormat, head, head === content)).toBe(expected);
  });
});

function paper(number: string, title: string, year: number) {
  const doi = `10.5555/shore.${number}`;
  return recordOf({ id: doi, title, year, identifiers: { doi } });
}

function notice(
  line: number,
  kind: string,
  about: string,
  { date = '', id, ...withheld }: { date?: string; id: string; withheld?: string },
) {
  const doi = `10.5555/shore.${about}`;
  const own = /^\d/.test(id) ? `10.5555/shore.${id}` : `10.5555/${id}`;
  const announced = { name: `crossref:${kind} ${own} ${doi}`, notice: { kind, date, id: own } };
  return { line, supplement: { identifiers: { doi }, abstract: '', announced, ...withheld } };
}
