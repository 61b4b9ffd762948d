import { expect, it } from 'vitest';
import { modsFormat } from '../../../src/ingest/formats/mods.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { aboutIn, entriesOf, fixture, recordOf, sourceOf } from '../read-format.ts';

const GRASS = recordOf({
  id: '10.5555/grass.81',
  title: 'The growth of Zostera: H2O & mud',
  abstract: 'Eelgrass grew. It was warm.',
  year: 2019,
  authors: ['Anna M. Berg', 'Bo Dahl'],
  venue: 'Shore Journal',
  identifiers: { doi: '10.5555/grass.81', pmid: '31000001' },
});

it('reads a collection', async () => {
  const text = fixture('mods.xml');
  expect((await recognizeFormat(sourceOf(text))).name).toBe('mods');
  expect(await entriesOf(modsFormat, text)).toEqual([
    { line: 3, document: GRASS },
    {
      line: 39,
      document: recordOf({
        id: 'ocm0001',
        title: 'Mud. Vol. 2: Sand',
        year: 2001,
        authors: ['Shore Group, Ltd.', 'Dag Ek'],
      }),
    },
    { line: 46, problem: 'not a paper but still image', reason: 'not_a_paper' },
    { line: 50, problem: expect.stringContaining('unexpected close tag'), reason: 'malformed' },
    { line: 53, document: recordOf({ title: 'Whole' }) },
  ]);
  const [grass] = await aboutIn(modsFormat, text);
  expect(grass).toEqual({ languages: ['ger'], types: ['journal article', 'text'], fields: [] });
});

it('reads one record, and records in OAI-PMH', async () => {
  const mods = fixture('mods.xml').toString().split('\n').slice(2, 38).join('\n');
  const one = mods.replace('<mods ', '<m:mods xmlns:m="http://www.loc.gov/mods/v3" ');
  const alone = one.replace('</mods>', '</m:mods>');
  const header = '<header><identifier>oai:shore:1</identifier></header>';
  const record = `<record>${header}<metadata>${alone}</metadata></record>`;
  for (const text of [alone, `<OAI-PMH><ListRecords>${record}</ListRecords></OAI-PMH>`]) {
    expect((await recognizeFormat(sourceOf(text))).name).toBe('mods');
    expect(await entriesOf(modsFormat, text)).toMatchObject([{ document: GRASS }]);
  }
});

it('reads names of any length in linear time', async () => {
  const name = `Berg${', '.repeat(2 ** 17)}Anna`;
  const text = `<mods><titleInfo><title>Tides</title></titleInfo><name><namePart>${name}</namePart></name></mods>`;
  const limits = { lineBytesMax: 2 ** 23 };
  expect(await entriesOf(modsFormat, text, limits)).toMatchObject([
    { document: { title: 'Tides' } },
  ]);
});
