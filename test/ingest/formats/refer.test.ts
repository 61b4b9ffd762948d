import { expect, it } from 'vitest';
import { referFormat } from '../../../src/ingest/formats/refer.ts';
import { aboutIn, entriesOf, fixture, recognizes, recordOf } from '../read-format.ts';

const GRASS = recordOf({
  id: '10.5555/grass.81',
  title: 'Growth of Zostera in warm water',
  abstract: 'Eelgrass grew. It was warm. A second paragraph.',
  year: 2019,
  authors: ['Anna M. Berg', 'Bo Dahl Jr.', 'Shore Group'],
  venue: 'Shore Journal',
  identifiers: { doi: '10.5555/grass.81', pmid: '31000001', pmcid: 'PMC7000001' },
});

it('reads records with and without a type in front', async () => {
  expect(recognizes(referFormat, fixture('refer.enw'))).toBe(true);
  expect(await entriesOf(referFormat, fixture('refer.enw'))).toEqual([
    { line: 1, document: GRASS },
    {
      line: 25,
      document: recordOf({
        id: 'arXiv:2401.00001',
        title: 'Mud of the bay',
        year: 2001,
        authors: ['Anna Berg', 'Dag Ek'],
        venue: 'Proceedings of Mud',
        identifiers: { arxiv: '2401.00001' },
      }),
    },
    { line: 34, document: recordOf({ year: 1999 }) },
  ]);
});

it('tells language and type', async () => {
  const [grass, mud] = await aboutIn(referFormat, fixture('refer.enw'));
  expect(grass).toEqual({ languages: ['eng'], types: ['Journal Article'], fields: [] });
  expect(mud).toMatchObject({ types: ['Conference Proceedings'] });
});

it('reads records that no blank line divides, and one whose type comes late', async () => {
  const text = '%0 Book\n%T Tides\n%0 Thesis\n%T Mud\n\n%A Ek, D\n%T Sand\n%R 1-9\n%0 Book\n';
  expect(await entriesOf(referFormat, text)).toMatchObject([
    { line: 1, document: { title: 'Tides' } },
    { line: 3, document: { title: 'Mud' } },
    { line: 6, document: { title: 'Sand', authors: ['D Ek'], identifiers: {} } },
  ]);
});

it.each([
  ['an author and a title', '%A Ek, D\n%D 2001\n%T Sand\n', true],
  ['a type', '%0 Journal Article\n', true],
  ['comments of TeX', '% A comment\n%T\n%%A\n', false],
  ['percentages', '%5 of all\n%T is more\n', false],
])('is recognized by %s: %s', (_, text, expected) => {
  expect(recognizes(referFormat, text)).toBe(expected);
});
