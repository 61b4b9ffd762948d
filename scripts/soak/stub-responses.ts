/** Responses of healthy providers in their wire formats. The papers contain the question. */

export type StubName = 'arxiv' | 'semantic_scholar' | 'crossref';

interface Paper {
  number: number;
  title: string;
  abstract: string;
}

const PAPERS = 5;

/** Returns a body and its media type for the question in a request URL. */
export function goodResponse(name: StubName, address: URL, seed: number): [string, string] {
  const papers = papersAbout(questionIn(name, address), seed);
  switch (name) {
    case 'arxiv':
      return [atomFeed(address, papers), 'application/atom+xml'];
    case 'semantic_scholar':
      return [
        JSON.stringify({ total: PAPERS, offset: 0, data: papers.map(graphPaper) }),
        JSON_TYPE,
      ];
    case 'crossref':
      return [JSON.stringify(workList(papers)), JSON_TYPE];
  }
}

const JSON_TYPE = 'application/json';

function questionIn(name: StubName, { searchParams }: URL): string {
  const parameter = {
    arxiv: 'search_query',
    semantic_scholar: 'query',
    crossref: 'query.bibliographic',
  };
  const text = searchParams.get(parameter[name]) ?? '';
  return text
    .replace(/\b(?:all|ti|abs):|\b(?:OR|AND)\b|["()]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function papersAbout(question: string, seed: number): Paper[] {
  return Array.from({ length: PAPERS }, (_, i) => ({
    number: (seed * PAPERS + i) % 90_000,
    title: `Part ${i} of a study: ${question}`,
    abstract:
      `We asked ${seed} people about ${question}. Method ${i} was used throughout. ` +
      `The answers about ${question} differed by ${i} percent. More work is needed.`,
  }));
}

function atomFeed(address: URL, papers: readonly Paper[]): string {
  const entries = papers.map(
    ({ number, title, abstract }) =>
      `<entry><id>http://arxiv.org/abs/2401.${String(number + 10_000)}v1</id>` +
      `<title>${title}</title><summary>${abstract}</summary>` +
      '<published>2024-01-01T10:00:00Z</published><author><name>Ada Berg</name></author></entry>',
  );
  const query = address.searchParams.get('search_query') ?? '';
  return (
    '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">' +
    `<title>arXiv Query: search_query=${toXml(query)}&amp;id_list=</title>${entries.join('')}</feed>`
  );
}

function graphPaper({ number, title, abstract }: Paper) {
  const externalIds = { DOI: `10.5555/S2.${number}` };
  return { paperId: `p${number}`, externalIds, title, abstract, year: 2021, authors: [] };
}

function workList(papers: readonly Paper[]) {
  const items = papers.map(({ number, title, abstract }) => ({
    DOI: `10.5555/C.${number}`,
    title: [title],
    issued: { 'date-parts': [[2020]] },
    abstract: `<jats:p>${abstract}</jats:p>`,
  }));
  return { status: 'ok', 'message-type': 'work-list', message: { items } };
}

function toXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
