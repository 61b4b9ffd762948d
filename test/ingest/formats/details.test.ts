/** What records say of papers besides their citation: each format's own fields and words. */
import { describe, expect, it } from 'vitest';
import { verbatimLine } from '../../../src/ingest/formats/verbatim.ts';
import { formatNamed } from '../../../src/ingest/formats.ts';
import type { PaperDetails, SourceRecord } from '../../../src/types.ts';
import { detailsIn, fixture, recordOf } from '../read-format.ts';

const ADDRESS = 'https://example.org/tides.pdf';

const OPENALEX = {
  id: 'https://openalex.org/W1',
  title: 'T',
  type: 'article',
  open_access: { is_oa: true, oa_status: 'gold', oa_url: ADDRESS },
  cited_by_count: 12,
};
const CROSSREF = {
  DOI: '10.5555/a',
  title: ['T'],
  type: 'proceedings-article',
  'is-referenced-by-count': 3,
  license: [{ URL: 'http://creativecommons.org/licenses/by/4.0/' }],
};
const S2_PAPER = {
  corpusid: 1,
  externalids: {},
  title: 'T',
  publicationtypes: ['JournalArticle', 'Review'],
  isopenaccess: false,
  citationcount: 0,
};
const S2_API = {
  paperId: 'a',
  title: 'T',
  publicationTypes: ['Conference'],
  isOpenAccess: true,
  openAccessPdf: { url: ADDRESS, status: 'GREEN' },
  citationCount: 5,
};
const EUROPE_PMC = {
  id: '1',
  source: 'MED',
  pubYear: '2020',
  title: 'T',
  isOpenAccess: 'Y',
  citedByCount: 4,
  pubTypeList: { pubType: ['research-article', 'Journal Article'] },
  fullTextUrlList: {
    fullTextUrl: [
      { availabilityCode: 'S', url: 'https://example.org/subscribers' },
      { availabilityCode: 'OA', url: ADDRESS },
    ],
  },
};
const DATACITE = {
  type: 'dois',
  attributes: {
    doi: '10.5555/a',
    titles: [{ title: 'T' }],
    types: { resourceTypeGeneral: 'Dissertation' },
    rightsList: [{ rightsUri: 'https://creativecommons.org/licenses/by/4.0/legalcode' }],
  },
};
const VERBATIM = {
  id: 'a',
  title: 'T',
  type: 'letter',
  open_access: false,
  open_access_url: ADDRESS,
  citation_count: 2,
};

const wos = (lines: string): string => `FN x\nPT J\nTI T\n${lines}\nUT WOS:1\nER\n`;
const ris = (type: string): string => `TY  - ${type}\nTI  - T\nID  - a\nER  - \n`;

describe('the details of a record', () => {
  it.each<[format: string, content: unknown, details: PaperDetails | undefined]>([
    [
      ...(['openalex', OPENALEX] as const),
      { type: 'article', openAccess: true, openAccessUrl: ADDRESS, citationCount: 12 },
    ],
    ['openalex', { ...OPENALEX, type: null, open_access: null, cited_by_count: -1 }, undefined],
    [
      'openalex',
      { ...OPENALEX, open_access: { oa_url: 'javascript:1' }, cited_by_count: 'x' },
      {
        type: 'article',
      },
    ],
    ['crossref', CROSSREF, { type: 'conference-paper', openAccess: true, citationCount: 3 }],
    [
      'crossref',
      { ...CROSSREF, license: [{ URL: 'https://example.org/terms' }] },
      {
        type: 'conference-paper',
        citationCount: 3,
      },
    ],
    ['s2-papers', S2_PAPER, { type: 'review', openAccess: false, citationCount: 0 }],
    [
      ...(['s2-api', S2_API] as const),
      { type: 'conference-paper', openAccess: true, openAccessUrl: ADDRESS, citationCount: 5 },
    ],
    [
      ...(['europepmc', EUROPE_PMC] as const),
      { type: 'article', openAccess: true, openAccessUrl: ADDRESS, citationCount: 4 },
    ],
    ['datacite', DATACITE, { type: 'dissertation', openAccess: true }],
    ['verbatim', VERBATIM, { type: 'letter', openAccess: false, citationCount: 2 }],
    ['verbatim', { id: 'a', title: 'T', type: 'unheard of' }, undefined],
    ['csl-json', { id: 'a', title: 'T', type: 'thesis' }, { type: 'dissertation' }],
    ['bibtex', '@phdthesis{a, title = {T}}', { type: 'dissertation' }],
    ['ris', ris('CHAP'), { type: 'chapter' }],
    ['ris', ris('XXXX'), undefined],
    [
      'wos',
      wos('DT Article; Proceedings Paper\nTC 3\nZ9 4'),
      {
        type: 'conference-paper',
        citationCount: 4,
      },
    ],
    ['csv', 'id,title,type\na,T,Review article\n', { type: 'review' }],
    ['nbib', 'PMID- 1\nTI  - T\nPT  - Journal Article\nPT  - Review\n', { type: 'review' }],
  ])('of %s %j', async (format, content, details) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    expect(await detailsIn(formatNamed(format), text)).toEqual([details]);
  });

  it.each<[format: string, file: string, details: PaperDetails]>([
    ['arxiv', 'arxiv.jsonl', { type: 'preprint', openAccess: true, field: 'Physics' }],
    ['arxiv-atom', 'arxiv-atom.xml', { type: 'preprint', openAccess: true, field: 'Physics' }],
    ['arxiv-oai', 'arxiv-oai.xml', { type: 'preprint', openAccess: true, field: 'Physics' }],
    ['acl', 'acl.xml', { type: 'conference-paper', openAccess: true }],
    ['dblp', 'dblp.xml', { type: 'article' }],
    ['endnote-xml', 'endnote.xml', { type: 'article' }],
    ['jats', 'jats.xml', { type: 'article' }],
    ['oai-dc', 'oai-dc.xml', { type: 'article' }],
    ['pubmed', 'pubmed.xml', { type: 'article' }],
    [
      ...(['doaj', 'doaj.json'] as const),
      {
        type: 'article',
        openAccess: true,
        openAccessUrl: 'https://example.org/weed',
        field: 'Biology',
      },
    ],
  ])('of %s in %s', async (format, file, details) => {
    const [first] = await detailsIn(formatNamed(format), fixture(file));
    expect(first).toEqual(details);
  });

  it('come back from an export', async () => {
    const details = {
      type: 'review',
      openAccess: true,
      openAccessUrl: ADDRESS,
      citationCount: 7,
      language: 'pt',
      field: 'Law',
      orcids: ['0000-0002-1825-0097', '0000-0002-1694-233X'],
    } satisfies PaperDetails;
    const record: SourceRecord = recordOf({ id: 'a', title: 'T', details });
    expect(await detailsIn(formatNamed('verbatim'), verbatimLine(record))).toEqual([details]);
  });
});
