import { expect, it } from 'vitest';
import { crossrefXmlFormat } from '../../../src/ingest/formats/crossref-xml.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { aboutIn, detailsIn, entriesOf, fixture, recordOf, sourceOf } from '../read-format.ts';

const TEXT = fixture('crossref.xml').toString();

const GRASS = recordOf({
  id: '10.5555/grass.81',
  title: 'Growth of Zostera: H2O & mud',
  abstract: 'Results:\n\nEelgrass grew.',
  year: 2019,
  authors: ['Anna M. Berg Jr.', 'Shore Group'],
  venue: 'Shore Journal',
  identifiers: { doi: '10.5555/grass.81' },
  references: [{ identifiers: { doi: '10.5555/other' } }],
  updatedAt: Date.UTC(2020, 0, 2, 3, 4, 5),
});

const work = (doi: string, fields: object) => ({
  document: recordOf({ id: doi, identifiers: { doi }, ...fields }),
});

it('reads works of all kinds, and notices', async () => {
  expect((await recognizeFormat(sourceOf(TEXT))).name).toBe('crossref-xml');
  expect(await entriesOf(crossrefXmlFormat, TEXT)).toEqual([
    { line: 8, document: GRASS },
    {
      line: 27,
      supplement: {
        identifiers: { doi: '10.5555/mud' },
        abstract: '',
        withheld: 'retracted',
        announced: {
          name: 'crossref:retraction 10.5555/notice 10.5555/mud',
          notice: { kind: 'retraction', date: '2020-05-03', id: '10.5555/notice' },
        },
      },
    },
    {
      line: 44,
      ...work('10.5555/sand', { title: 'Sand', year: 2001, venue: 'Proceedings of Shores' }),
    },
    { line: 46, ...work('10.5555/watt', { title: 'Das Watt', year: 1999 }) },
    { line: 55, ...work('10.5555/leaves', { title: 'Leaves', year: 1998, venue: 'Kelp' }) },
    { line: 57, ...work('10.5555/tides', { title: 'Tides', year: 1958, authors: ['Dag Ek'] }) },
    { line: 63, problem: 'not a paper but peer-review', reason: 'not_a_paper' },
    { line: 64, problem: 'not a paper but journal', reason: 'not_a_paper' },
  ]);
  const abouts = await aboutIn(crossrefXmlFormat, TEXT);
  expect(abouts[0]).toEqual({ languages: ['en'], types: ['journal-article'], fields: [] });
  expect(abouts[3]).toEqual({ languages: ['de'], types: ['book'], fields: [] });
  const [details] = await detailsIn(crossrefXmlFormat, TEXT);
  expect(details).toMatchObject({ openAccess: true });
});

it('reads answers of the query API, and works in OAI-PMH', async () => {
  const [record = ''] = /<doi_record .*<\/doi_record>/s.exec(TEXT) ?? [];
  const result = `<crossref_result><query_result><body><query>${record}</query></body></query_result></crossref_result>`;
  const header = '<header><identifier>info:doi/10.5555/a</identifier></header>';
  const oai = `<OAI-PMH><ListRecords><record>${header}<metadata>${result}</metadata></record></ListRecords></OAI-PMH>`;
  for (const text of [result, oai]) {
    expect((await recognizeFormat(sourceOf(text))).name).toBe('crossref-xml');
    const [grass] = await entriesOf(crossrefXmlFormat, text);
    expect(grass).toMatchObject({ document: GRASS });
  }
});
