import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvFormat } from '../../../src/ingest/formats/csv.ts';
import { openalexMergedFormat } from '../../../src/ingest/formats/openalex-merged.ts';
import { NOT_UTF8 } from '../../../src/ingest/read/utf8.ts';
import { entriesOf, fixture, recognizes, recordOf } from '../read-format.ts';

describe('the csv format', () => {
  it('reads a table with semicolons', async () => {
    expect(await entriesOf(csvFormat, fixture('table.csv'))).toEqual([
      {
        line: 2,
        document: recordOf({
          id: '10.5555/tides.1',
          title: 'Tides; and "texts"',
          abstract: 'The sea\nrises.\r\nIt falls.',
          year: 2020,
          authors: ['Anna Berg', 'Bo Dahl'],
          venue: 'Shores',
          identifiers: { doi: '10.5555/tides.1', pmid: '31000001' },
        }),
      },
      {
        line: 6,
        document: recordOf({
          id: '2',
          title: 'Inch is 5"',
          abstract: 'It fell.',
          year: 2019,
          venue: 'Shores',
          authors: ['Anna Berg', 'Bo Dahl'],
        }),
      },
      { line: 7, problem: 'the row has 11 cells, there are 9 columns', reason: 'malformed' },
      { line: 8, problem: `the row ${NOT_UTF8}`, reason: 'malformed' },
      {
        line: 9,
        document: recordOf({ id: '5', title: '"Never "closed', authors: ['Anna Berg'] }),
      },
      { line: 10, document: recordOf({ id: '', title: 'No id' }) },
      {
        line: 11,
        document: recordOf({
          id: '6',
          title: 'Last',
          year: 2001,
          authors: ['Anna Berg', 'Bo Dahl'],
        }),
      },
    ]);
  });

  it('reads a table with tabs', async () => {
    expect(await entriesOf(csvFormat, fixture('table.tsv'))).toEqual([
      {
        line: 2,
        document: recordOf({
          id: 'PMID:31000001',
          title: 'Tides',
          abstract: 'The sea, it rises; "twice".',
          year: 2020,
          authors: ['Berg A', 'Dahl B'],
          identifiers: { pmid: '31000001' },
        }),
      },
    ]);
  });

  it.each([
    ['Berg, Anna', ['Anna Berg']],
    ['Anna Berg, Bo Dahl', ['Anna Berg', 'Bo Dahl']],
    ['Berg, Anna and Dahl, Bo', ['Anna Berg', 'Bo Dahl']],
    ['Berg, Anna;Dahl, Bo;', ['Anna Berg', 'Bo Dahl']],
    ['"Anna Berg\nBo Dahl"', ['Anna Berg', 'Bo Dahl']],
    ['Berg, Anna, Jr.; Dahl', ['Berg, Anna, Jr.', 'Dahl']],
    ['Li F., Chen Q.-X., van Holm A.B.', ['F. Li', 'Q.-X. Chen', 'A.B. van Holm']],
    ['Li, Fen (57000000001); Chen, Qi (57000000002)', ['Fen Li', 'Qi Chen']],
    ['Holm AB, van Berg A, Dahl B Jr.', ['AB Holm', 'A van Berg', 'B Dahl Jr']],
    ['Holm AB, Berg A; Tide Study Group.', ['AB Holm', 'A Berg', 'Tide Study Group']],
    ['Holm AB.', ['AB Holm']],
    ['Holm A.', ['A. Holm']],
    ['M&uuml;ller, Anna', ['Anna Müller']],
    ['', []],
  ])('reads the authors %j', async (cell, authors) => {
    const content = `id|title|authors\n1|Tides|${cell}\n`;
    const [entry] = await entriesOf(csvFormat, content);
    expect(entry).toMatchObject({ document: { authors } });
  });

  it.each([
    [
      'display_name,abstracts,year',
      'Tides,It rose.,2020',
      { title: 'Tides', abstract: 'It rose.' },
    ],
    [
      'Authors,Author full names,Title,Year',
      'Li F.,"Li, Fen (57)",Tides,2020',
      { authors: ['Fen Li'] },
    ],
    [
      'Title,Abstract,Source Title',
      'Tides &amp;amp; <i>E. coli</i>,The &lt;i&gt;sea&lt;/i&gt; &amp; it,Shores &amp; Seas',
      { title: 'Tides & E. coli', abstract: 'The sea & it', venue: 'Shores & Seas' },
    ],
  ])('recognizes the columns %s', async (columns, row, fields) => {
    const content = `${columns}\n${row}\n`;
    expect(recognizes(csvFormat, content)).toBe(true);
    expect(await entriesOf(csvFormat, content)).toMatchObject([{ document: fields }]);
  });

  it.each([
    [
      "OpenAlex's website",
      'id,doi,display_name,publication_year,primary_location.source.display_name,' +
        'authorships.author.display_name',
      'https://openalex.org/W77,,Tides,2020,Shores,Anna Berg|Bo Dahl',
      {
        id: 'https://openalex.org/W77',
        title: 'Tides',
        venue: 'Shores',
        authors: ['Anna Berg', 'Bo Dahl'],
      },
    ],
    ['a date without hyphens', 'Title,DOI,Publication Date', 'Tides,,20200131', { year: 2020 }],
    ['a number that is no date', 'Title,DOI,Publication Date', 'Tides,,20209931', { year: 0 }],
  ])('reads the table of %s', async (_, columns, row, fields) => {
    const content = `${columns}\n${row}\n`;
    expect(recognizes(csvFormat, content)).toBe(true);
    expect(await entriesOf(csvFormat, content)).toMatchObject([{ document: fields }]);
  });

  it("skips Zotero's attachments", async () => {
    const content =
      'Key,Item Type,Title,Author\nA1,journalArticle,Tides,"Berg, Anna"\nA2,attachment,Full Text PDF,\n';
    expect(await entriesOf(csvFormat, content)).toMatchObject([
      { document: { title: 'Tides' } },
      { line: 3, problem: 'not a paper but an attachment', reason: 'not_a_paper' },
    ]);
  });

  it('skips a row that is too long and continues', async () => {
    const content = `id,title\n1,"${'a\n'.repeat(100)}"\n2,Tides\n`;
    expect(await entriesOf(csvFormat, content, { lineBytesMax: 100 })).toEqual([
      { line: 2, problem: 'the row has 204 bytes, at most 100 are read', reason: 'too_long' },
      { line: 103, document: recordOf({ id: '2', title: 'Tides' }) },
    ]);
  });

  it('loses only the text up to the next quote if a quote is never closed', async () => {
    const content = 'id,title\n1,"Open\n2,Lost\n3,"Closed"\n4,Tides\n';
    expect(await entriesOf(csvFormat, content)).toEqual([
      { line: 2, problem: 'the quotes of the row are not in pairs', reason: 'malformed' },
      { line: 5, document: recordOf({ id: '4', title: 'Tides' }) },
    ]);
    const atEnd = await entriesOf(csvFormat, 'id,title\n1,Tides\n2,"Open\n');
    expect(atEnd).toEqual([
      { line: 2, document: recordOf({ id: '1', title: 'Tides' }) },
      { line: 3, problem: 'the quotes of the row are not in pairs', reason: 'malformed' },
    ]);
  });

  it('reads any correctly quoted value unchanged', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r\n', 'é', '😀', ' '),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1 }), async (abstracts) => {
        const rows = abstracts.map((text, index) => `${index},"${text.replaceAll('"', '""')}"\r\n`);
        const entries = await entriesOf(csvFormat, `id,abstract\r\n${rows.join('')}`);
        const texts = entries.map((entry) => 'document' in entry && entry.document.abstract);
        expect(texts).toEqual(abstracts.map((text) => text.trim()));
      }),
    );
  });

  it('does not throw for any input', async () => {
    const part = fc.constantFrom('id', 'title', ',', ';', '\t', '"', '\n', '\r', '\0', 'a', 'é');
    await fc.assert(
      fc.asyncProperty(fc.array(part), async (parts) => {
        const content = `id,title\n${parts.join('')}`;
        for (const entry of await entriesOf(csvFormat, content)) {
          expect(entry.line).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('says what is missing if no column is known', async () => {
    await expect(entriesOf(csvFormat, 'name,size\na,1\n')).rejects.toMatchObject({
      code: 'unreadable_input',
      message: 'cannot index file: no column has the name of a title or of an abstract',
    });
  });

  it.each([
    [true, 'an id and a title', 'ID,Title\n1,Tides\n'],
    [true, 'a DOI and an abstract', '"doi"\t"abstract"\n'],
    [true, 'columns of a spreadsheet', 'Nr;DOI;Article Title;Year\r\n'],
    [false, 'a title and a year', 'title,year\nTides,2020\n'],
    [true, 'a title and an abstract', 'title,abstract\nTides,It rose.\n'],
    [true, 'a title, authors and a year', 'Authors,Title,Year\n'],
    [false, 'an id without a text', 'id,year\n1,2020\n'],
    [false, 'prose', 'A title, an id, and an abstract.\n'],
    [false, 'relevance judgements', 'query-id\tcorpus-id\tscore\n'],
    [false, 'nothing', ''],
  ])('recognizes() returns %s for %s', (expected, _, content) => {
    expect(recognizes(csvFormat, content)).toBe(expected);
  });
});

describe('the openalex-merged format', () => {
  const content = 'merge_date,id,merge_into_id\n2024-05-01,W5,W6\n2024-05-01,A5,A6\n2024-05-01\n';

  it('deletes the works that were merged', async () => {
    expect(recognizes(openalexMergedFormat, content)).toBe(true);
    expect(recognizes(openalexMergedFormat, 'id,title\n1,Tides\n')).toBe(false);
    expect(await entriesOf(openalexMergedFormat, content)).toEqual([
      { line: 2, deletion: { openalex: 'W5' }, isMerged: true },
      { line: 3, problem: 'not a work of OpenAlex: "A5"', reason: 'not_a_paper' },
      { line: 4, problem: 'not a work of OpenAlex: undefined', reason: 'not_a_paper' },
    ]);
  });

  it('deletes the works that OpenAlex has deleted, and does not remember them', async () => {
    const deleted = 'work_id,deleted_date\nhttps://openalex.org/W7,2026-08-14\n';
    expect(recognizes(openalexMergedFormat, deleted)).toBe(true);
    expect(await entriesOf(openalexMergedFormat, deleted)).toEqual([
      { line: 2, deletion: { openalex: 'W7' } },
    ]);
  });
});

describe('a line before the header', () => {
  const header = 'Rank,Publication ID,DOI,PMID,Title,Source title,Anthology title,PubYear,Authors';
  const rows = [
    '500,pub.1,10.5555/Tides.1,31000001,Tides,Shores,,2020,"Berg, Anna M; Dahl, Bo"',
    '500,pub.2,,,Mud,Notes of Shores,The Book of Mud,2019,"Berg, Anna M"',
  ].join('\r\n');

  it.each([
    ['bare', 'About the data: Exported on Nov 28, 2026. Criteria: "tides" in title.'],
    ['quoted', '"About the data: Exported on Nov 28, 2026. Criteria: ""tides"", mud;\r\nall."'],
    ['from a spreadsheet', '"About the data: Exported, with criteria",,,,,,,,'],
  ])('is not read as one, as Dimensions writes it (%s)', async (_, about) => {
    const text = `\ufeff${about}\r\n${header}\r\n${rows}\r\n`;
    expect(recognizes(csvFormat, text)).toBe(true);
    const line = about.includes('\r\n') ? 4 : 3;
    expect(await entriesOf(csvFormat, text)).toEqual([
      {
        line,
        document: recordOf({
          id: '10.5555/tides.1',
          title: 'Tides',
          year: 2020,
          authors: ['Anna M Berg', 'Bo Dahl'],
          venue: 'Shores',
          identifiers: { doi: '10.5555/tides.1', pmid: '31000001' },
        }),
      },
      {
        line: line + 1,
        document: recordOf({
          id: 'pub.2',
          title: 'Mud',
          year: 2019,
          authors: ['Anna M Berg'],
          venue: 'The Book of Mud',
        }),
      },
    ]);
  });

  it.each(['sep=;', '"sep=;"', 'SEP=;'])('names the delimiter: %s', async (line) => {
    const text = `${line}\r\nid;title,with,commas;title;abstract\r\n1;x;Tides;It rose, and fell.`;
    expect(recognizes(csvFormat, text)).toBe(true);
    expect(await entriesOf(csvFormat, text)).toMatchObject([
      { line: 3, document: { id: '1', title: 'Tides', abstract: 'It rose, and fell.' } },
    ]);
  });

  it('is not enough for a table', () => {
    for (const text of ['sep=;', 'sep=;\n', 'About the data: title, abstract, year\n']) {
      expect(recognizes(csvFormat, text)).toBe(false);
    }
  });
});

describe("Springer's table", () => {
  const header = 'Item Title,Publication Title,Item DOI,Authors,Publication Year,Content Type';

  it.each([
    ['Anna BergBo Q. DahlCarl (Kalle) EkDag Fors', 'Anna Berg|Bo Q. Dahl|Carl (Kalle) Ek|Dag Fors'],
    ['Anna McDahl BergBo DeVitoCarl MacEk', 'Anna McDahl Berg|Bo DeVito|Carl MacEk'],
    ['JoAnn BergÖrjan Ek Jr.A.B. Dahl', 'JoAnn Berg|Örjan Ek Jr.|A.B. Dahl'],
    ['Anna Berg', 'Anna Berg'],
    ['', ''],
  ])('has names without anything between them: %s', async (names, expected) => {
    const text = `${header}\n"Tides","Shores","10.5555/Tides.1","${names}","2020","Article"\n`;
    expect(recognizes(csvFormat, text)).toBe(true);
    const authors = expected === '' ? [] : expected.split('|');
    expect(await entriesOf(csvFormat, text)).toMatchObject([
      { document: { id: '10.5555/tides.1', title: 'Tides', venue: 'Shores', year: 2020, authors } },
    ]);
  });
});
