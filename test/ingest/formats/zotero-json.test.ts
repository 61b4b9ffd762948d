import { expect, it } from 'vitest';
import { zoteroJsonFormat } from '../../../src/ingest/formats/zotero-json.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { aboutIn, entriesOf, fixture, recordOf, sourceOf } from '../read-format.ts';

const LIBRARY = fixture('zotero.json').toString();

const ENTRIES = [
  {
    document: recordOf({
      id: '10.5555/grass.81',
      title: 'Growth of Zostera',
      abstract: 'Eelgrass grew. It was warm.',
      year: 2019,
      authors: ['Anna M. Berg', 'Shore Group'],
      venue: 'Shore Journal',
      identifiers: { doi: '10.5555/grass.81', pmid: '31000001' },
    }),
  },
  {
    document: recordOf({
      id: 'arXiv:2401.00001',
      title: 'Mud',
      identifiers: { arxiv: '2401.00001' },
    }),
  },
  { problem: 'not a paper but attachment', reason: 'not_a_paper' },
  {
    document: recordOf({
      id: '10.5555/sand',
      title: 'Sand',
      authors: ['Ek'],
      venue: 'Proceedings of Sand',
      identifiers: { doi: '10.5555/sand', pmcid: 'PMC7000001' },
    }),
  },
];

it.each([
  ['with its settings', LIBRARY],
  ['on one line', JSON.stringify(JSON.parse(LIBRARY))],
])('reads the items of a library %s', async (_, text) => {
  expect((await recognizeFormat(sourceOf(text))).name).toBe('zotero-json');
  const numbered = ENTRIES.map((entry, at) => ({ line: at + 1, ...entry }));
  expect(await entriesOf(zoteroJsonFormat, text)).toEqual(numbered);
  const [grass] = await aboutIn(zoteroJsonFormat, text);
  expect(grass).toEqual({ languages: ['en'], types: ['journalArticle'], fields: [] });
});

it('reads the items of a library with long lists of collections', async () => {
  const library = JSON.parse(LIBRARY);
  library.collections.AAAA1111.items = Array.from({ length: 10_000 }, (_, n) => n);
  library.collections.BBBB2222 = { ...library.collections.AAAA1111, title: 'Bay', items: [3] };
  for (const space of [0, 2]) {
    const text = JSON.stringify(library, null, space);
    expect((await recognizeFormat(sourceOf(text))).name).toBe('zotero-json');
    const numbered = ENTRIES.map((entry, at) => ({ line: at + 1, ...entry }));
    expect(await entriesOf(zoteroJsonFormat, text, { lineBytesMax: 200_000 })).toEqual(numbered);
  }
});

it('says that a library is too long up to its items', async () => {
  const library = JSON.parse(LIBRARY);
  library.collections.AAAA1111.items = Array.from({ length: 10_000 }, (_, n) => n);
  const entries = await entriesOf(zoteroJsonFormat, JSON.stringify(library, null, 2), {
    lineBytesMax: 100_000,
  });
  expect(entries).toMatchObject([{ line: 1, reason: 'too_long' }]);
});

it("reads the answers of Zotero's API", async () => {
  const { items } = JSON.parse(LIBRARY);
  const text = JSON.stringify(items.map((data: object) => ({ key: 'A', version: 1, data })));
  expect((await recognizeFormat(sourceOf(text))).name).toBe('zotero-json');
  expect(await entriesOf(zoteroJsonFormat, text)).toMatchObject(ENTRIES);
});
