import { expect, it } from 'vitest';
import { zoteroRdfFormat } from '../../../src/ingest/formats/zotero-rdf.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { aboutIn, entriesOf, fixture, recognizes, recordOf, sourceOf } from '../read-format.ts';

const FILE = fixture('zotero.rdf').toString();

/** The title, the venue, and the identifiers of each document. */
async function placesIn(text: string): Promise<unknown[]> {
  return (await entriesOf(zoteroRdfFormat, text)).map((entry) => {
    if (!('document' in entry)) return entry;
    const { title, venue, identifiers } = entry.document;
    return [title, venue, identifiers];
  });
}

it('reads items, with what they are part of before, after, or within them', async () => {
  expect((await recognizeFormat(sourceOf(FILE))).name).toBe('zotero-rdf');
  expect(await entriesOf(zoteroRdfFormat, FILE)).toEqual([
    {
      line: 10,
      document: recordOf({
        id: '10.5555/grass.91',
        title: 'The growth of Zostera & mud',
        abstract: 'Eelgrass grew. It was warm.',
        year: 2019,
        authors: ['Anna M. Berg', 'Shore Group'],
        venue: 'Shore Journal',
        identifiers: { doi: '10.5555/grass.91', pmid: '31000001', pmcid: 'PMC7000001' },
      }),
    },
    {
      line: 49,
      document: recordOf({ id: '#item_2', title: 'Of the same journal', venue: 'Shore Journal' }),
    },
    {
      line: 60,
      document: recordOf({
        id: '10.5555/bay.2',
        title: 'Tides',
        year: 2024,
        authors: ['Bo Dahl'],
        venue: 'Bay Days',
        identifiers: { doi: '10.5555/bay.2', arxiv: '2401.00009' },
      }),
    },
    {
      line: 89,
      document: recordOf({
        id: '10.5555/mud',
        title: 'The book of mud',
        year: 2001,
        identifiers: { doi: '10.5555/mud' },
      }),
    },
    {
      line: 95,
      document: recordOf({ id: 'dahl2001', title: 'Sand', venue: 'The book of mud' }),
    },
    {
      line: 101,
      document: recordOf({ id: '#item_5', title: 'Low water', venue: 'Shore Weekly' }),
    },
    { line: 113, problem: 'not a paper but patent', reason: 'not_a_paper' },
    { line: 117, problem: expect.stringContaining('unexpected close tag'), reason: 'malformed' },
    { line: 121, document: recordOf({ id: '#item_8', title: 'Whole' }) },
  ]);
  const [grass] = await aboutIn(zoteroRdfFormat, FILE);
  expect(grass).toEqual({ languages: ['en'], types: ['journalArticle'], fields: [] });
});

it('gives the DOI to the first item, wherever the node of the journal is', async () => {
  const node = /<bib:Journal rdf:about[\s\S]*?<\/bib:Journal>/.exec(FILE)?.[0] as string;
  const without = FILE.replace(node, '');
  const first = without.replace('<bib:Article', `${node}<bib:Article`);
  const last = without.replace('</rdf:RDF>', `${node}</rdf:RDF>`);
  for (const text of [first, last]) {
    expect(await placesIn(text)).toEqual(
      expect.arrayContaining([
        [
          'The growth of Zostera & mud',
          'Shore Journal',
          expect.objectContaining({ doi: '10.5555/grass.91' }),
        ],
        ['Of the same journal', 'Shore Journal', {}],
      ]),
    );
  }
});

it('keeps the items that wait for a container, when the file breaks off', async () => {
  const cut = FILE.slice(0, FILE.indexOf('<bib:Journal rdf:about'));
  const titles: string[] = [];
  const reading = (async () => {
    for await (const entry of zoteroRdfFormat.entries(sourceOf(cut), { lineBytesMax: 100_000 })) {
      if ('document' in entry) titles.push(entry.document.title);
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: 'unreadable_input' });
  expect(titles).toEqual(['The growth of Zostera & mud', 'Of the same journal']);
});

it('lets go of the oldest of too many items that wait', async () => {
  const items = Array.from({ length: 1_001 }, (_, at) => {
    const part = `<dcterms:isPartOf rdf:resource="#${at}"/>`;
    return `<bib:Article rdf:about="a${at}"><z:itemType>journalArticle</z:itemType>${part}<dc:title>T${at}</dc:title></bib:Article>`;
  });
  const journals = [0, 1].map(
    (at) => `<bib:Journal rdf:about="#${at}"><dc:title>J${at}</dc:title></bib:Journal>`,
  );
  const root = FILE.slice(0, FILE.indexOf('>') + 1);
  const places = await placesIn(`${root}${items.join('\n')}${journals.join('\n')}</rdf:RDF>`);
  expect(places).toHaveLength(1_001);
  expect(places.slice(0, 3)).toEqual([
    ['T0', '', {}],
    ['T1', 'J1', {}],
    ['T2', '', {}],
  ]);
});

it('leaves other RDF alone', () => {
  expect(recognizes(zoteroRdfFormat, FILE.replace('namespaces/export#', 'other#'))).toBe(false);
  expect(recognizes(zoteroRdfFormat, FILE.replaceAll('z:itemType', 'z:type'))).toBe(false);
});
