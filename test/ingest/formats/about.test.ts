/** Language and type of records, by which they are chosen: each format's own words. */
import { describe, expect, it } from 'vitest';
import { csvFormat } from '../../../src/ingest/formats/csv.ts';
import { formatNamed } from '../../../src/ingest/formats.ts';
import { headOf } from '../../../src/ingest/read/head.ts';
import { aboutIn } from '../read-format.ts';

const PUBMED = `<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article>
  <ArticleTitle>Tides.</ArticleTitle><Language>eng</Language><Language>ger</Language>
  <PublicationTypeList><PublicationType>Journal Article</PublicationType>
    <PublicationType>Review</PublicationType></PublicationTypeList>
</Article></MedlineCitation></PubmedArticle></PubmedArticleSet>`;

describe('language and type', () => {
  it.each<[format: string, content: string, languages: string[], types: string[]]>([
    ['verbatim', '{"id":"a","title":"T","language":"en","type":"review"}', ['en'], ['review']],
    ['verbatim', '{"id":"a","title":"T","language":7,"type":""}', [], []],
    [
      'openalex',
      '{"id":"https://openalex.org/W1","title":"T","language":"de","type":"article"}',
      ['de'],
      ['article'],
    ],
    [
      'crossref',
      '{"DOI":"10.5555/a","title":["T"],"language":"fr","type":"journal-article"}',
      ['fr'],
      ['journal-article'],
    ],
    ['csl-json', '{"id":"a","title":"T","type":"book","language":"en-GB"}', ['en-GB'], ['book']],
    [
      's2-papers',
      '{"corpusid":1,"externalids":{},"title":"T","publicationtypes":["Review",null,"Study"]}',
      [],
      ['Review', 'Study'],
    ],
    ['s2-papers', '{"corpusid":1,"externalids":{},"title":"T","publicationtypes":null}', [], []],
    ['pubmed', PUBMED, ['eng', 'ger'], ['Journal Article', 'Review']],
    [
      'nbib',
      'PMID- 1\nLA  - eng\nPT  - Journal Article\nPT  - Review\nTI  - Tides\n',
      ['eng'],
      ['Journal Article', 'Review'],
    ],
    ['ris', 'TY  - JOUR\nTI  - Tides\nLA  - English\nER  -\n', ['English'], ['JOUR']],
    [
      'bibtex',
      '@inproceedings{a, title = {Tides}, language = {english}, langid = {british}}',
      ['british'],
      ['inproceedings'],
    ],
    [
      'csv',
      'Title,DOI,Language of Original Document,Document Type\nT,10.5555/a,English; French,Review',
      ['English', 'French'],
      ['Review'],
    ],
  ])('are read from %s: %s', async (format, content, languages, types) => {
    expect(await aboutIn(formatNamed(format), content)).toEqual([{ languages, types }]);
  });
});

describe('the columns of a table', () => {
  it('are listed by name: the ones that are read and the others', () => {
    const table = 'Document Title;Abstract;My notes;DOI;Title;Publication Year\n';
    expect(csvFormat.columns?.(headOf(Buffer.from(table), true))).toEqual({
      used: [
        { column: 'Title', field: 'title' },
        { column: 'Abstract', field: 'abstract' },
        { column: 'Publication Year', field: 'year' },
        { column: 'DOI', field: 'doi' },
      ],
      ignored: ['Document Title', 'My notes'],
    });
  });
});
