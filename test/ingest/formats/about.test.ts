/** Language, type, and field of study of records: each format's own words, and what is kept of them. */
import { describe, expect, it } from 'vitest';
import { csvFormat } from '../../../src/ingest/formats/csv.ts';
import { formatNamed } from '../../../src/ingest/formats.ts';
import { headOf } from '../../../src/ingest/read/head.ts';
import { aboutIn, detailsIn } from '../read-format.ts';

const PUBMED = `<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article>
  <ArticleTitle>Tides.</ArticleTitle><Language>eng</Language><Language>ger</Language>
  <PublicationTypeList><PublicationType>Journal Article</PublicationType>
    <PublicationType>Review</PublicationType></PublicationTypeList>
</Article></MedlineCitation></PubmedArticle></PubmedArticleSet>`;

const ENDNOTE = `<xml><records><record><titles><title>Tides</title></titles>
  <language>German</language></record></records></xml>`;
const OAI_DC = `<OAI-PMH><ListRecords><record><header><identifier>oai:a:1</identifier></header>
  <metadata><oai_dc:dc><dc:title>T</dc:title><dc:language>por</dc:language>
  <dc:type>info:eu-repo/semantics/article</dc:type></oai_dc:dc></metadata></record>
  </ListRecords></OAI-PMH>`;
const DATACITE = JSON.stringify({
  type: 'dois',
  attributes: {
    doi: '10.5555/a',
    titles: [{ title: 'T' }],
    language: 'nl',
    types: { resourceTypeGeneral: 'Report' },
  },
});

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
      'europepmc',
      '{"id":"1","source":"MED","pubYear":"2020","title":"T","language":"eng"}',
      ['eng'],
      [],
    ],
    [
      'jats',
      '<article article-type="letter" xml:lang="fr"><front><article-meta/></front></article>',
      ['fr'],
      ['letter'],
    ],
    ['endnote-xml', ENDNOTE, ['German'], []],
    ['oai-dc', OAI_DC, ['por'], ['article']],
    ['wos', 'FN x\nPT J\nTI T\nLA English\nDT Review\nUT WOS:1\nER\n', ['English'], ['Review']],
    ['datacite', DATACITE, ['nl'], ['Report']],
    [
      'csv',
      'Title,DOI,Language of Original Document,Document Type\nT,10.5555/a,English; French,Review',
      ['English', 'French'],
      ['Review'],
    ],
  ])('are read from %s: %s', async (format, content, languages, types) => {
    expect(await aboutIn(formatNamed(format), content)).toMatchObject([{ languages, types }]);
  });
});

describe('the field of study', () => {
  const openalex = (fields: object) => ({ id: 'https://openalex.org/W1', title: 'T', ...fields });
  const concepts = [
    { display_name: 'Geology', level: 0, score: 0.4 },
    { display_name: 'Glacier', level: 2, score: 0.9 },
    { display_name: 'Biology', level: 0, score: 0.6 },
  ];
  const datacite = (subjects: object[]) => ({
    type: 'dois',
    attributes: { doi: '10.5555/a', titles: [{ title: 'T' }], subjects },
  });
  const doaj = (subject: object[]) => ({ id: 'a', bibjson: { title: 'T', subject } });
  const law = { scheme: 'LCC', code: 'K1-7720', term: 'Law in general' };

  it.each<[format: string, content: unknown, field: string | undefined]>([
    [
      'openalex',
      openalex({ primary_topic: { field: { display_name: 'Health Professions' } }, concepts }),
      'Health professions',
    ],
    ['openalex', openalex({ primary_topic: null, concepts }), 'Biology'],
    ['openalex', openalex({ concepts: [{ display_name: 'Glacier', level: 2 }] }), undefined],
    [
      'arxiv',
      { id: '2401.00001', title: 'T', categories: 'q-bio.NC cs.LG' },
      'Quantitative biology',
    ],
    ['arxiv', { id: '2401.00001', title: 'T', categories: ['econ.TH cs.LG'] }, 'Economics'],
    ['arxiv', { id: '2401.00001', title: 'T', categories: 'unheard.OF cs.LG' }, undefined],
    ['s2-papers', { corpusid: 1, externalids: {}, title: 'T', s2fieldsofstudy: null }, undefined],
    [
      's2-papers',
      {
        corpusid: 1,
        externalids: {},
        title: 'T',
        s2fieldsofstudy: [{ category: 'Agricultural and Food Sciences', source: 's2-fos-model' }],
      },
      'Agricultural and food sciences',
    ],
    [
      's2-api',
      { paperId: 'a', title: 'T', fieldsOfStudy: ['Geology', 'Physics'] },
      'Earth science',
    ],
    [
      's2orc-metadata',
      { paper_id: '1', mag_id: '2', title: 'T', mag_field_of_study: ['Art'] },
      'Arts and humanities',
    ],
    [
      'datacite',
      datacite([{ subject: 'law' }, { subject: 'FOS: Economics and business' }]),
      'Economics',
    ],
    ['datacite', datacite([{ subject: 'Medicine' }]), undefined],
    ['doaj', doaj([{ scheme: 'keywords', code: 'R' }, law]), 'Law'],
    ['doaj', doaj([]), undefined],
    ['wos', 'FN x\nPT J\nTI T\nSC Astronomy; Physics\nUT WOS:1\nER\n', undefined],
    ['wos', 'FN x\nPT J\nTI T\nSC Physics; Optics\nUT WOS:1\nER\n', 'Physics'],
    ['csv', 'id,title,Field of study\na,T,computer science; law\n', 'Computer science'],
    ['csv', 'id,title,keywords\na,T,law\n', undefined],
    ['verbatim', { id: 'a', title: 'T', field: 'MEDICINE' }, 'Medicine'],
    ['verbatim', { id: 'a', title: 'T', field: ['Law'] }, undefined],
    ['bibtex', '@article{a, title = {T}, keywords = {Law}}', undefined],
  ])('of %s %j', async (format, content, field) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const [details] = await detailsIn(formatNamed(format), text);
    expect(details?.field).toBe(field);
  });
});

describe('the language that is kept', () => {
  it.each([
    ['eng', 'en'],
    ['German', 'de'],
    ['und', undefined],
    ['Klingonisch', undefined],
    ['und; fr', 'fr'],
  ])('of %j is %j', async (language, code) => {
    const line = JSON.stringify({ id: 'a', title: 'T', language });
    const [details] = await detailsIn(formatNamed('verbatim'), line);
    expect(details?.language).toBe(code);
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
