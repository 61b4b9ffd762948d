import { describe, expect, it } from 'vitest';
import { pubmedFormat } from '../../../src/ingest/formats/pubmed.ts';
import { headOf } from '../../../src/ingest/read/head.ts';
import { splitSentences } from '../../../src/text/split-sentences.ts';
import { entriesOf, fixture, recognizes, recordOf } from '../read-format.ts';

it('reads every pitfall of the fixture', async () => {
  expect(await entriesOf(pubmedFormat, fixture('pubmed.xml'))).toEqual([
    {
      line: 4,
      document: recordOf({
        id: '10.5555/tides.2019.a',
        title: 'Uptake of CO2 by Zostera marina: a 10µM study.',
        abstract:
          "BACKGROUND:\n\nSeagrass takes up carbon. How much is not known.\n\nAUTHORS' CONCLUSIONS:\n\nIt took up 5 < x < 7 g/m2.\n\nFunded by nobody.",
        year: 2019,
        authors: ['Anna M Berg Jr', 'B Lind', 'Seagrass Working Group'],
        venue: 'Journal of invented & tested tides',
        identifiers: { doi: '10.5555/tides.2019.a', pmid: '31000001', pmcid: 'PMC7000001' },
        references: [{ identifiers: { doi: '10.5555/reference', pmid: '1' } }],
        updatedAt: Date.parse('2021-03-05T00:00:00Z'),
      }),
    },
    {
      line: 51,
      document: recordOf({
        id: '10.5555/letters.2',
        title: 'The tides of [two] seas.',
        abstract: 'The sea rose. It fell.',
        year: 1998,
        venue: 'Tidal letters',
        identifiers: { doi: '10.5555/letters.2', pmid: '7000002' },
        references: [{ identifiers: { doi: '10.5555/reference' } }],
        withheld: 'retracted',
      }),
    },
    {
      line: 70,
      document: recordOf({
        id: 'PMID:7000003',
        title: 'Marées.',
        year: 2003,
        identifiers: { pmid: '7000003' },
        references: [{ identifiers: { doi: '10.5555/reference' } }],
      }),
    },
    {
      line: 82,
      document: recordOf({
        id: 'PMID:20000004',
        title: 'Neap tides',
        abstract: 'CLINICAL CHARACTERISTICS:\n\nNeap tides are small.',
        year: 1993,
        authors: ['Cai Holm'],
        venue: 'The book of tides',
        identifiers: { pmid: '20000004' },
        updatedAt: Date.parse('2010-02-01T00:00:00Z'),
      }),
    },
    {
      line: 99,
      problem: 'not well-formed XML: an "&" that starts no entity, in line 106',
      reason: 'malformed',
    },
    { line: 108, deletion: { pmid: '7000006' } },
    { line: 109, deletion: { pmid: '7000007' } },
  ]);
});

describe('a PubMed file', () => {
  it.each<[boolean, string, string]>([
    [true, 'an update', set('')],
    [true, 'one without a document type', '<PubmedArticleSet><PubmedArticle/></PubmedArticleSet>'],
    [true, 'a single article', '<PubmedArticle><MedlineCitation/></PubmedArticle>'],
    [true, 'one with a byte order mark', `\u{feff}${set('')}`],
    [true, 'comments in front', `<?xml version="1.0"?><!-- <OAI-PMH> -->\n${set('')}`],
    [true, 'a document type with a subset', `<!DOCTYPE a [<!ELEMENT a ANY>]>${set('')}`],
    [
      false,
      'an answer of OAI-PMH',
      '<OAI-PMH><ListRecords>PubmedArticleSet</ListRecords></OAI-PMH>',
    ],
    [false, 'a collection of the ACL', '<collection id="P19"><volume id="1"/></collection>'],
    [false, 'JATS', '<article><front><PubmedArticleSet/></front></article>'],
    [false, "PubMed's tagged lines", 'PMID- 1\nTI  - <PubmedArticleSet>'],
    [false, 'its name alone', 'PubmedArticleSet'],
  ])('recognizes() returns %s for %s', (expected, _, content) => {
    expect(recognizes(pubmedFormat, content)).toBe(expected);
  });

  it('is recognized and read in UTF-16 too', async () => {
    const content = Buffer.from(
      `\u{feff}${set(article('<ArticleTitle>Marées</ArticleTitle>'))}`,
      'utf16le',
    );
    expect(pubmedFormat.recognizes(headOf(content, true))).toBe(true);
    const [entry] = await entriesOf(pubmedFormat, content);
    expect(entry).toMatchObject({ document: { title: 'Marées' } });
  });

  it.each([
    ['<Year>2001</Year>', 2001],
    ['<MedlineDate>Spring 2000</MedlineDate>', 2000],
    ['<MedlineDate>1998 Dec-1999 Jan</MedlineDate>', 1998],
    ['<MedlineDate>Winter</MedlineDate>', 0],
    ['', 0],
  ])('with the date %j has the year %d', async (date, year) => {
    const journal = `<Journal><JournalIssue><PubDate>${date}</PubDate></JournalIssue></Journal>`;
    const [entry] = await entriesOf(pubmedFormat, set(article(journal)));
    expect(entry).toMatchObject({ document: { year } });
  });

  it('keeps every word of formulas', async () => {
    const math =
      '<mml:math><mml:mfrac> <mml:mi>a</mml:mi> <mml:mi>b</mml:mi> </mml:mfrac>' +
      '<mml:annotation encoding="tex">\\frac ab</mml:annotation></mml:math>';
    const [entry] = await entriesOf(
      pubmedFormat,
      set(article(`<ArticleTitle>Of ${math} it</ArticleTitle>`)),
    );
    expect(entry).toMatchObject({ document: { title: 'Of a/b it' } });
  });

  it('quotes its sections without their labels', async () => {
    const [first] = await entriesOf(pubmedFormat, fixture('pubmed.xml'));
    const abstract = first !== undefined && 'document' in first ? first.document.abstract : '';
    const sentences = splitSentences(abstract).map(({ start, end }) => abstract.slice(start, end));
    expect(sentences).toEqual([
      'Seagrass takes up carbon.',
      'How much is not known.',
      'It took up 5 < x < 7 g/m2.',
      'Funded by nobody.',
    ]);
  });

  it.each([
    ['is broken off', set(article('')).slice(0, -30), 'breaks off'],
    ['is empty', '', 'is no XML'],
    ['declares entities', `<!DOCTYPE a [<!ENTITY b "c">]>${set('')}`, 'declares entities'],
    [
      'is in an encoding that is not read',
      `<?xml version="1.0" encoding="Big5"?>${set('')}`,
      'Big5',
    ],
  ])('is rejected if it %s', async (_, content, message) => {
    await expect(entriesOf(pubmedFormat, content)).rejects.toMatchObject({
      code: 'unreadable_input',
      message: expect.stringContaining(message),
    });
  });

  it('loses only the records that are not UTF-8 or too long', async () => {
    const long = article(`<ArticleTitle>${'long '.repeat(200)}</ArticleTitle>`);
    const content = Buffer.concat([
      Buffer.from(`<PubmedArticleSet>\n${long}\n<PubmedArticle>`),
      Buffer.from([0xe9]),
      Buffer.from(
        `</PubmedArticle>\n${article('<ArticleTitle>Good</ArticleTitle>')}</PubmedArticleSet>`,
      ),
    ]);
    const entries = await entriesOf(pubmedFormat, content, { lineBytesMax: 500 });
    expect(entries).toMatchObject([
      { line: 2, reason: 'too_long' },
      { line: 3, reason: 'malformed' },
      { line: 4, document: { title: 'Good' } },
    ]);
  });
});

function article(content: string): string {
  return `<PubmedArticle><MedlineCitation><Article>${content}</Article></MedlineCitation></PubmedArticle>`;
}

function set(articles: string): string {
  return `<?xml version="1.0"?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD" "https://dtd.example.org/a.dtd">\n<PubmedArticleSet>${articles}</PubmedArticleSet>`;
}
