/** The works that records cite: each format's own fields. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verbatimFormat, verbatimLine } from '../../../src/ingest/formats/verbatim.ts';
import { formatNamed } from '../../../src/ingest/formats.ts';
import { referencesOf } from '../../../src/ingest/values/cited-works.ts';
import type { CitedWork } from '../../../src/types.ts';
import { entriesOf, recordOf } from '../read-format.ts';

const TEXT = 'Berg et al. (1998). Tides. Shore, 12, 3';

const ANNOTATED = [
  { start: 0, end: 1, attributes: { doi: '10.5555/A' } },
  { start: 0, end: 1, attributes: { matched_paper_id: 7, doi: null } },
  null,
  { start: 2, end: 12, attributes: { id: 'b3' } },
];
const BIBLIOGRAPHY = {
  text: '𝛼 Berg. Tides',
  annotations: { bib_entry: JSON.stringify(ANNOTATED) },
};

const DATACITE = [
  { relationType: 'Cites', relatedIdentifierType: 'DOI', relatedIdentifier: '10.5555/A' },
  { relationType: 'IsCitedBy', relatedIdentifierType: 'DOI', relatedIdentifier: '10.5555/b' },
  { relationType: 'References', relatedIdentifierType: 'arXiv', relatedIdentifier: '2401.00001' },
  { relationType: 'References', relatedIdentifierType: 'PMID', relatedIdentifier: '7' },
  { relationType: 'References', relatedIdentifierType: 'URL', relatedIdentifier: '10.5555/c' },
  { relationType: 'References' },
];

const JSON_RECORDS: [string, object, CitedWork[]][] = [
  [
    'openalex',
    {
      id: 'https://openalex.org/W1',
      title: 'T',
      referenced_works: ['https://openalex.org/W2', 5, null, 'n/a', 'https://openalex.org/W3'],
    },
    [{ identifiers: { openalex: 'W2' } }, { identifiers: { openalex: 'W3' } }],
  ],
  [
    'crossref',
    {
      DOI: '10.5555/t',
      title: ['T'],
      reference: [
        { key: 'r1', DOI: '10.5555/A', unstructured: 'Berg' },
        { key: 'r2', unstructured: ' Dahl, <i>Mud</i>\n1999 ' },
        {
          key: 'r3',
          author: 'Ek',
          year: '1998',
          'article-title': 'Tides',
          'journal-title': 'Shore',
          volume: '12',
          'first-page': '3',
        },
        { key: 'r4' },
        'r5',
      ],
    },
    [
      { identifiers: { doi: '10.5555/a' } },
      { identifiers: {}, text: 'Dahl, Mud 1999' },
      { identifiers: {}, text: 'Ek (1998). Tides. Shore, 12, 3' },
    ],
  ],
  [
    's2-api',
    {
      paperId: 'a',
      title: 'T',
      references: [
        { paperId: 'b', corpusId: 7, externalIds: { DOI: '10.5555/A', ArXiv: '2401.00001' } },
        { paperId: null, title: 'Tides', year: 1998, authors: [{ name: 'A. Berg' }] },
        null,
      ],
    },
    [
      { identifiers: { doi: '10.5555/a', arxiv: '2401.00001', s2: '7' } },
      { identifiers: {}, text: 'A. Berg (1998). Tides' },
    ],
  ],
  [
    's2orc-metadata',
    { paper_id: '1', mag_id: '2', s2_url: '', title: 'T', outbound_citations: ['7', null, '8'] },
    [{ identifiers: { s2: '7' } }, { identifiers: { s2: '8' } }],
  ],
  [
    's2orc',
    { corpusid: 1, title: 'T', body: { text: 'x' }, bibliography: BIBLIOGRAPHY },
    [
      { identifiers: { doi: '10.5555/a' } },
      { identifiers: { s2: '7' } },
      { identifiers: {}, text: 'Berg. Tide' },
    ],
  ],
  [
    's2orc',
    {
      corpusid: 1,
      title: 'T',
      content: { text: 'The sea', annotations: { bibentry: JSON.stringify(ANNOTATED) } },
    },
    [
      { identifiers: { doi: '10.5555/a' } },
      { identifiers: { s2: '7' } },
      { identifiers: {}, text: 'e sea' },
    ],
  ],
  [
    'datacite',
    { doi: '10.5555/t', titles: [{ title: 'T' }], creators: [], relatedIdentifiers: DATACITE },
    [
      { identifiers: { doi: '10.5555/a' } },
      { identifiers: { arxiv: '2401.00001' } },
      { identifiers: { pmid: '7' } },
    ],
  ],
  [
    'verbatim',
    { id: 'a', title: 'T', references: [{ doi: '10.5555/A' }, { text: TEXT }, 7, { x: 1 }] },
    [{ identifiers: { doi: '10.5555/a' } }, { identifiers: {}, text: TEXT }],
  ],
];

const CROSSREF_XML = `<doi_record><crossref><journal><journal_article><titles><title>T</title></titles>
 <doi_data><doi>10.5555/t</doi></doi_data><citation_list>
 <citation key="1"><doi provider="crossref">10.5555/A</doi><author>Berg</author></citation>
 <citation key="2"><unstructured_citation>Dahl, <i>Mud</i> 1999</unstructured_citation></citation>
 <citation key="3"><journal_title>Shore</journal_title><author>Ek</author><volume>12</volume>
  <first_page>3</first_page><cYear>1998</cYear><article_title>Tides</article_title></citation>
 <citation key="4"/></citation_list></journal_article></journal></crossref></doi_record>`;

const DATACITE_XML = `<resource xmlns="http://datacite.org/schema/kernel-4">
 <identifier identifierType="DOI">10.5555/t</identifier><titles><title>T</title></titles>
 <relatedIdentifiers>${DATACITE.slice(0, 3)
   .map(
     ({ relationType, relatedIdentifierType, relatedIdentifier }) =>
       `<relatedIdentifier relationType="${relationType}" relatedIdentifierType="${relatedIdentifierType}">${relatedIdentifier}</relatedIdentifier>`,
   )
   .join('')}</relatedIdentifiers></resource>`;

const PUBMED_LISTS = `<ReferenceList><Title>References</Title>
 <Reference><Citation>Berg 1998</Citation><ArticleIdList><ArticleId IdType="pubmed">7</ArticleId>
  <ArticleId IdType="doi">10.5555/A</ArticleId><ArticleId IdType="pmc">PMC8</ArticleId></ArticleIdList></Reference>
 <Reference><Citation>Dahl, <i>Mud</i>
  1999</Citation></Reference><Reference/>
 <ReferenceList><Reference><Citation>Ek</Citation></Reference></ReferenceList></ReferenceList>`;
const PUBMED_WORKS: CitedWork[] = [
  { identifiers: { doi: '10.5555/a', pmid: '7', pmcid: 'PMC8' } },
  { identifiers: {}, text: 'Dahl, Mud 1999' },
  { identifiers: {}, text: 'Ek' },
];

const XML_RECORDS: [string, string, CitedWork[]][] = [
  [
    'crossref-xml',
    CROSSREF_XML,
    [
      { identifiers: { doi: '10.5555/a' } },
      { identifiers: {}, text: 'Dahl, Mud 1999' },
      { identifiers: {}, text: 'Ek (1998). Tides. Shore, 12, 3' },
    ],
  ],
  [
    'datacite-xml',
    DATACITE_XML,
    [{ identifiers: { doi: '10.5555/a' } }, { identifiers: { arxiv: '2401.00001' } }],
  ],
  [
    'pubmed',
    `<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID></MedlineCitation>
     <PubmedData>${PUBMED_LISTS}</PubmedData></PubmedArticle></PubmedArticleSet>`,
    PUBMED_WORKS,
  ],
  [
    'pubmed',
    `<PubmedBookArticleSet><PubmedBookArticle><BookDocument><PMID>1</PMID>${PUBMED_LISTS}</BookDocument>
     </PubmedBookArticle></PubmedBookArticleSet>`,
    PUBMED_WORKS,
  ],
];

describe('the references of a record', () => {
  const records = JSON_RECORDS.map(([name, record, works]) => [
    name,
    JSON.stringify(record),
    works,
  ]);
  it.each([...records, ...XML_RECORDS] as [string, string, CitedWork[]][])(
    'are read from %s',
    async (name, content, references) => {
      const entries = await entriesOf(formatNamed(name), content);
      expect(entries).toMatchObject([{ document: { references } }]);
    },
  );

  it.each(JSON_RECORDS)('of %s may be of any type', async (name, record) => {
    const format = formatNamed(name);
    const field = Object.keys(record).at(-1) as string;
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (one, other) => {
        for (const value of [one, [one, other]]) {
          const entries = await entriesOf(format, JSON.stringify({ ...record, [field]: value }));
          expect(entries).toMatchObject([{ document: { title: 'T' } }]);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('that cannot be read do not cost an S2ORC record', async () => {
    const annotations = { bib_entry: '[{' };
    const record = { corpusid: 1, title: 'T', body: {}, bibliography: { text: 5, annotations } };
    const [entry] = await entriesOf(formatNamed('s2orc'), JSON.stringify(record));
    expect(entry).toMatchObject({ document: { title: 'T' } });
  });

  it('are written by an export so that they read back unchanged', async () => {
    const written = [
      { identifiers: { doi: '10.18653/v1/2024.acl-long.1', pmid: 7 } },
      { identifiers: { arxiv: '2401.00001', openalex: 'W1', s2: 8, pmcid: 'PMC9' } },
      { print: () => '10.5555/a 𝛼 "Tides"'.repeat(20) },
    ];
    const record = recordOf({ id: 'a', title: 'T', ...referencesOf(written) });
    expect(record.references).toHaveLength(3);
    const entries = await entriesOf(verbatimFormat, verbatimLine(record));
    expect(entries).toEqual([{ line: 1, document: record }]);
  });
});
