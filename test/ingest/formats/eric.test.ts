import { expect, it } from 'vitest';
import { ericFormat } from '../../../src/ingest/formats/eric.ts';
import { nbibFormat } from '../../../src/ingest/formats/nbib.ts';
import { aboutIn, entriesOf, fixture, recognizes, recordOf } from '../read-format.ts';

it('reads records by their numbers', async () => {
  const text = fixture('eric.nbib');
  expect(recognizes(ericFormat, text)).toBe(true);
  expect(await entriesOf(ericFormat, text)).toEqual([
    {
      line: 2,
      document: recordOf({
        id: '10.5555/school.1',
        title: 'Teaching tides',
        abstract: 'Pupils learned. It took a term.',
        year: 2019,
        authors: ['Anna M. Berg', 'Bo Dahl'],
        venue: 'Shore School',
        identifiers: { doi: '10.5555/school.1' },
      }),
    },
    {
      line: 20,
      document: recordOf({ id: 'ERIC:ED500002', title: 'Schools by the sea', year: 2001 }),
    },
    { line: 25, document: recordOf({ title: 'Without a number' }) },
  ]);
  const [tides] = await aboutIn(ericFormat, text);
  const types = ['Journal Articles', 'Reports - Research'];
  expect(tides).toEqual({ languages: ['English'], types, fields: [] });
});

it("keeps PubMed's and ERIC's records in one file apart", async () => {
  const pubmed = 'PMID- 31000001\nOWN - NLM\nTI  - Tides.\nAB  - It rose.\n';
  const eric = 'OWN - ERIC\nTI  - Teaching\nOID - EJ1\nAB  - Pupils learned.\n';
  expect(recognizes(ericFormat, pubmed)).toBe(false);
  expect(recognizes(nbibFormat, eric)).toBe(false);
  expect(await entriesOf(nbibFormat, `${pubmed}\n${eric}`)).toMatchObject([
    { document: { id: 'PMID:31000001', title: 'Tides.', abstract: 'It rose.' } },
    // Skipped, as it has no id here.
    { document: { id: '', title: 'Teaching', abstract: 'Pupils learned.' } },
  ]);
  expect(await entriesOf(ericFormat, `${eric}\n${pubmed}`)).toMatchObject([
    { document: { id: 'ERIC:EJ1', title: 'Teaching', abstract: 'Pupils learned.' } },
    { document: { id: '', title: 'Tides.', abstract: 'It rose.' } },
  ]);
});
