/** ORCIDs of authors, as each format has them. */
import { expect, it } from 'vitest';
import { formatNamed } from '../../../src/ingest/formats.ts';
import { detailsIn } from '../read-format.ts';

const [ANA, BO] = ['0000-0002-1825-0097', '0000-0002-1694-233X'] as const;
const WRONG = '0000-0002-1825-0090';
const addressOf = (orcid: string): string => `https://orcid.org/${orcid}`;

const OPENALEX = {
  id: 'https://openalex.org/W1',
  title: 'T',
  authorships: [ANA, null, WRONG, BO, ANA].map((orcid) => ({
    author: { display_name: 'Ana Silva', orcid: orcid && addressOf(orcid) },
  })),
};
const CROSSREF = {
  DOI: '10.5555/a',
  title: ['T'],
  author: [
    {
      given: 'Ana',
      family: 'Silva',
      ORCID: `http://orcid.org/${ANA}`,
      'authenticated-orcid': true,
    },
    { given: 'Cy', family: 'Berg' },
    { given: 'Bo', family: 'Dahl', ORCID: addressOf(BO) },
  ],
  editor: [{ given: 'Di', family: 'Holm', ORCID: addressOf('0000-0001-5109-3700') }],
};
const CROSSREF_XML = `<doi_records><doi_record><crossref><journal><journal_article>
  <titles><title>T</title></titles><contributors>
  <person_name contributor_role="author"><surname>Silva</surname><ORCID>${addressOf(ANA)}</ORCID></person_name>
  <person_name contributor_role="editor"><surname>Holm</surname><ORCID>${addressOf('0000-0001-5109-3700')}</ORCID></person_name>
  <person_name contributor_role="author"><surname>Dahl</surname><ORCID>${addressOf(BO)}</ORCID></person_name>
  </contributors><doi_data><doi>10.5555/a</doi></doi_data></journal_article></journal></crossref></doi_record></doi_records>`;
const nameIdentifiers = [
  { nameIdentifier: 'https://isni.org/isni/0000000121032683', nameIdentifierScheme: 'ISNI' },
  { nameIdentifier: addressOf(ANA), nameIdentifierScheme: 'ORCID' },
];
const DATACITE = {
  type: 'dois',
  attributes: {
    doi: '10.5555/a',
    titles: [{ title: 'T' }],
    creators: [
      { name: 'Silva, Ana', nameIdentifiers },
      {
        name: 'Dahl, Bo',
        nameIdentifiers: [{ nameIdentifier: BO, nameIdentifierScheme: 'ORCID' }],
      },
    ],
  },
};
const DATACITE_XML = `<resource xmlns="http://datacite.org/schema/kernel-4">
  <identifier identifierType="DOI">10.5555/a</identifier><titles><title>T</title></titles><creators>
  <creator><creatorName>Silva, Ana</creatorName>
    <nameIdentifier nameIdentifierScheme="ISNI">0000000121032683</nameIdentifier>
    <nameIdentifier nameIdentifierScheme="ORCID">${ANA}</nameIdentifier></creator>
  <creator><creatorName>Dahl, Bo</creatorName>
    <nameIdentifier nameIdentifierScheme="ORCID">${BO}</nameIdentifier></creator></creators></resource>`;
const JATS = `<article><front><article-meta><article-id pub-id-type="doi">10.5555/a</article-id>
  <title-group><article-title>T</article-title></title-group><contrib-group>
  <contrib contrib-type="author"><contrib-id contrib-id-type="orcid" authenticated="true">${addressOf(ANA)}</contrib-id>
    <name><surname>Silva</surname></name></contrib>
  <contrib contrib-type="editor"><contrib-id contrib-id-type="orcid">0000-0001-5109-3700</contrib-id></contrib>
  <contrib contrib-type="author"><contrib-id contrib-id-type="orcid">${BO}</contrib-id>
    <contrib-id contrib-id-type="scopus">7</contrib-id></contrib>
  </contrib-group></article-meta></front></article>`;
const PUBMED = `<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article>
  <ArticleTitle>T</ArticleTitle><AuthorList>
  <Author ValidYN="Y"><LastName>Silva</LastName><Identifier Source="ORCID">${addressOf(ANA)}</Identifier></Author>
  <Author ValidYN="N"><LastName>Silvia</LastName><Identifier Source="ORCID">0000-0001-5109-3700</Identifier></Author>
  <Author ValidYN="Y"><LastName>Dahl</LastName><Identifier Source="ISNI">1</Identifier>
    <Identifier Source="ORCID">${BO}</Identifier></Author>
  </AuthorList></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>`;
const EUROPE_PMC = {
  id: '1',
  source: 'MED',
  pubYear: '2020',
  title: 'T',
  authorList: {
    author: [
      { fullName: 'Silva A', authorId: { type: 'ORCID', value: ANA } },
      { fullName: 'Berg C' },
      { fullName: 'Dahl B', authorId: { type: 'ORCID', value: BO } },
    ],
  },
};
const DBLP = `<dblp><article key="journals/a/b"><author orcid="${ANA}">Ana Silva</author>
  <author>Cy Berg</author><author orcid="${BO}">Bo Dahl 0002</author><title>T.</title></article></dblp>`;

it.each<[format: string, content: unknown]>([
  ['openalex', OPENALEX],
  ['crossref', CROSSREF],
  ['crossref-xml', CROSSREF_XML],
  ['datacite', DATACITE],
  ['datacite-xml', DATACITE_XML],
  ['jats', JATS],
  ['pubmed', PUBMED],
  ['europepmc', EUROPE_PMC],
  ['dblp', DBLP],
  ['verbatim', { id: 'a', title: 'T', orcids: [ANA, 7, WRONG, addressOf(BO)] }],
  ['verbatim', { id: 'a', title: 'T', orcids: [BO, ANA] }],
])('%s gives the ORCIDs of authors, without those that are wrong', async (format, content) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const [details] = await detailsIn(formatNamed(format), text);
  expect([...(details?.orcids ?? [])].sort()).toEqual([BO, ANA].sort());
});

it('a list that is none tells nothing', async () => {
  const text = JSON.stringify({ id: 'a', title: 'T', orcids: ANA });
  expect(await detailsIn(formatNamed('verbatim'), text)).toEqual([undefined]);
});
