/** Responses of healthy providers in their wire formats. The papers contain the question. */

export const providerNames = ['arxiv', 'semantic_scholar', 'crossref'] as const;
export type ProviderName = (typeof providerNames)[number];

type Paper = ReturnType<typeof papersAbout>[number];

const PAPERS = 5;

/** Returns a body and its media type for the question in a request URL. */
export function goodResponse(name: ProviderName, address: URL, seed: number): [string, string] {
  const papers = papersAbout(questionIn(name, address), seed);
  switch (name) {
    case 'arxiv':
      return [atomFeed(address, papers), 'application/atom+xml'];
    case 'semantic_scholar':
      return [JSON.stringify(searchResult(papers)), JSON_TYPE];
    case 'crossref':
      return [JSON.stringify(workList(papers)), JSON_TYPE];
  }
}

const JSON_TYPE = 'application/json';

const parameters: Record<ProviderName, string> = {
  arxiv: 'search_query',
  semantic_scholar: 'query',
  crossref: 'query.bibliographic',
};

function questionIn(name: ProviderName, { searchParams }: URL): string {
  return (searchParams.get(parameters[name]) ?? '')
    .replace(/\b(?:all|ti|abs):|\b(?:OR|AND)\b|["()]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function papersAbout(question: string, seed: number) {
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

function searchResult(papers: readonly Paper[]) {
  const data = papers.map(({ number, title, abstract }) => {
    const externalIds = { DOI: `10.5555/S2.${number}` };
    return { paperId: `p${number}`, externalIds, title, abstract, year: 2021, authors: [] };
  });
  return { total: PAPERS, offset: 0, data };
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
