import { describe, expect, it } from 'vitest';
import { aclFormat } from '../../../src/ingest/formats/acl.ts';
import { entriesOf, fixture, recognizes, recordOf } from '../read-format.ts';

it('reads every pitfall of the fixture', async () => {
  expect(await entriesOf(aclFormat, fixture('acl.xml'))).toEqual([
    { line: 11, problem: 'the front matter of a volume', reason: 'not_a_paper' },
    {
      line: 15,
      document: recordOf({
        id: '10.18653/v1/2024.acl-long.1',
        title: 'A BERT of the tides: O(n^2) at sea',
        abstract: 'Models of Tides rise (see https://example.org/a). They fall & rise.',
        year: 2024,
        authors: ['Anna Berg', 'Madonna', 'Björn Lind'],
        venue: 'Proceedings of the ACL (Volume 1: Long Papers)',
        identifiers: { doi: '10.18653/v1/2024.acl-long.1', acl: '2024.acl-long.1' },
      }),
    },
    {
      line: 30,
      document: recordOf({
        id: 'ACL:2024.acl-long.2',
        title: 'Tides that were not',
        year: 2024,
        venue: 'Proceedings of the ACL (Volume 1: Long Papers)',
        identifiers: { acl: '2024.acl-long.2' },
        withheld: 'retracted',
      }),
    },
    { line: 38, problem: 'the front matter of a volume', reason: 'not_a_paper' },
    {
      line: 39,
      document: recordOf({
        id: 'ACL:2024.acl-short.3',
        title: 'A removed paper',
        year: 2024,
        venue: 'Short papers',
        identifiers: { acl: '2024.acl-short.3' },
        withheld: 'withdrawn',
      }),
    },
    {
      line: 40,
      document: recordOf({ title: 'A paper without an id', year: 2024, venue: 'Short papers' }),
    },
    {
      line: 41,
      problem: 'not well-formed XML: unexpected close tag, in line 41',
      reason: 'malformed',
    },
    {
      line: 42,
      document: recordOf({
        id: 'ACL:2024.acl-short.6',
        title: 'After it',
        year: 2024,
        venue: 'Short papers',
        identifiers: { acl: '2024.acl-short.6' },
      }),
    },
  ]);
});

describe('a collection of the ACL Anthology', () => {
  it.each<[boolean, string, string]>([
    [true, 'one', '<collection id="P19"><volume id="1"/></collection>'],
    [
      true,
      'one with a declaration',
      "<?xml version='1.0' encoding='UTF-8'?>\n<collection id='P19'>\n<volume id='1'/></collection>",
    ],
    [false, 'a collection of something else', '<collection id="a"><item/></collection>'],
    [false, 'a collection without an id', '<collection><volume id="1"/></collection>'],
    [false, 'MARC', '<collection xmlns="http://www.loc.gov/MARC21/slim"><record/></collection>'],
    [false, 'a volume in something else', '<PubmedArticleSet><volume id="1"/></PubmedArticleSet>'],
  ])('recognizes() returns %s for %s', (expected, _, content) => {
    expect(recognizes(aclFormat, content)).toBe(expected);
  });

  it.each([
    ['P19', '1', '1', 'P19-1001', 2019],
    ['P19', '2', '123', 'P19-2123', 2019],
    ['W19', '53', '1', 'W19-5301', 2019],
    ['W03', '2', '4', 'W03-0204', 2003],
    ['C69', '1', '1', 'C69-0101', 1969],
    ['D19', '4', '1', 'D19-4001', 2019],
    ['D19', '50', '1', 'D19-5001', 2019],
    ['2020.acl', 'main', '12', '2020.acl-main.12', 2020],
    ['2023.findings', 'emnlp', '1', '2023.findings-emnlp.1', 2023],
  ])(
    'maps %s, %s, %s to the id %s and the year %d',
    async (collection, volume, paper, acl, year) => {
      const content = `<collection id="${collection}"><volume id="${volume}"><paper id="${paper}"/></volume></collection>`;
      const [entry] = await entriesOf(aclFormat, content);
      expect(entry).toMatchObject({ document: { id: `ACL:${acl}`, identifiers: { acl }, year } });
    },
  );

  it('does not give a volume the year of the previous one', async () => {
    const content =
      '<collection id="2020.a"><volume id="b"><meta><year>2019</year></meta><paper id="1"/></volume>' +
      '<volume id="c"><paper id="1"/></volume></collection>';
    const entries = await entriesOf(aclFormat, content);
    expect(entries).toMatchObject([{ document: { year: 2019 } }, { document: { year: 2020 } }]);
  });
});
