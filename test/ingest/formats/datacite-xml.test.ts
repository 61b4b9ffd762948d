import { expect, it } from 'vitest';
import { dataciteXmlFormat } from '../../../src/ingest/formats/datacite-xml.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { aboutIn, detailsIn, entriesOf, fixture, recordOf, sourceOf } from '../read-format.ts';

const TEXT = fixture('datacite.xml').toString();

const GRASS = recordOf({
  id: '10.5555/grass.81',
  title: 'Growth of Zostera',
  abstract: 'Eelgrass grew.\n\nIt was warm.',
  year: 2019,
  authors: ['Anna M. Berg', 'Bo Dahl', 'Shore, Group'],
  venue: 'Shore Journal',
  identifiers: { doi: '10.5555/grass.81', arxiv: '2401.00001' },
  references: [{ identifiers: { doi: '10.5555/other' } }],
});

it('reads records that follow each other', async () => {
  expect((await recognizeFormat(sourceOf(TEXT))).name).toBe('datacite-xml');
  expect(await entriesOf(dataciteXmlFormat, TEXT)).toEqual([
    { line: 2, document: GRASS },
    { line: 41, problem: 'not a paper but Dataset', reason: 'not_a_paper' },
  ]);
  const [grass] = await aboutIn(dataciteXmlFormat, TEXT);
  expect(grass).toMatchObject({ languages: ['en'], fields: ['Biological sciences'] });
  const [details] = await detailsIn(dataciteXmlFormat, TEXT);
  expect(details).toMatchObject({ type: 'article', openAccess: true, language: 'en' });
});

it('reads records in OAI-PMH', async () => {
  const [, resource = ''] = /(<resource.*?<\/resource>)/s.exec(TEXT) ?? [];
  const header = '<header><identifier>oai:shore:1</identifier></header>';
  const metadata = `<metadata><oai_datacite><payload>${resource}</payload></oai_datacite></metadata>`;
  const text = `<OAI-PMH><ListRecords><record>${header}${metadata}</record></ListRecords></OAI-PMH>`;
  expect((await recognizeFormat(sourceOf(text))).name).toBe('datacite-xml');
  expect(await entriesOf(dataciteXmlFormat, text)).toMatchObject([{ document: GRASS }]);
});

it('leaves other XML with such a root alone', async () => {
  const text = '<resource xmlns="http://shore.example/"><title>Tides</title></resource>';
  await expect(recognizeFormat(sourceOf(text))).rejects.toThrow('no format recognizes it');
});
