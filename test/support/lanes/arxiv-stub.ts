/** A stub of arXiv's query API. */
import { htmlPage, type Responder, type StubAnswer } from './stub-server.ts';

interface Entry {
  id: string;
  title: string;
  summary: string;
  /** More elements of the entry. */
  more?: string;
}

export const paperEntry: Entry = {
  id: 'http://arxiv.org/abs/2401.00001v3',
  title: 'Sleep and\n  memory in A &amp; B mice',
  summary: '  We show $x &lt; 1$ in Fig. 2, e.g. for mice.\nSleep holds 0.30 \\pm 0.04 of it.\n',
  more:
    '<author><name>Ada van der Berg</name><arxiv:affiliation>MIT</arxiv:affiliation></author>' +
    '<author><name>H1 Collaboration</name></author><arxiv:comment>9 pages</arxiv:comment>' +
    '<arxiv:journal_ref>J. Sleep 1 (2024)</arxiv:journal_ref><arxiv:doi>10.1000/ABC</arxiv:doi>' +
    '<link href="https://arxiv.org/abs/2401.00001v3" rel="alternate" type="text/html"/>' +
    '<category term="cs.CL" scheme="http://arxiv.org/schemas/atom"/>',
};
const oldEntry: Entry = {
  id: 'http://arxiv.org/abs/hep-ex/0307015v1',
  title: 'An old id',
  summary: '',
};
const errorEntry: Entry = {
  id: 'https://arxiv.org/api/errors#incorrect_id_format',
  title: 'Error',
  summary: 'incorrect id format',
  more: '<author><name>arXiv api core</name></author>',
};

/** A feed as arXiv has written it since November 2025, with its own link before the entries. */
function feed(entries: readonly Entry[], { total = entries.length, query = '' } = {}): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom">
  <id>https://arxiv.org/api/abc</id><title>arXiv Query: search_query=${query}&amp;id_list=&amp;start=0&amp;max_results=10</title>
  <updated>2026-01-05T00:00:00Z</updated><link href="https://arxiv.org/api/query?search_query=x" type="application/atom+xml"/>
  <opensearch:itemsPerPage>10</opensearch:itemsPerPage><opensearch:totalResults>${total}</opensearch:totalResults>
  ${entries.map(entryXml).join('\n  ')}
</feed>`;
}

function entryXml({ id, title, summary, more = '' }: Entry): string {
  return `<entry><id>${id}</id><title>${title}</title><updated>2024-05-01T10:00:00Z</updated>
   <published>2024-01-01T10:00:00Z</published><summary>${summary}</summary>${more}</entry>`;
}

/** Responds with a feed that echoes the query of the request. */
export function feedOf(
  entries: readonly Entry[],
  rest: StubAnswer & { total?: number } = {},
): Responder {
  return ({ query }) => ({
    headers: { 'content-type': 'application/atom+xml' },
    ...rest,
    body: feed(entries, {
      ...(rest.total === undefined ? {} : { total: rest.total }),
      query: query['search_query'] ?? '',
    }),
  });
}

/** The same feed with namespaces declared on every child, as before November 2025. */
const oldForm: Responder = (request, index) => {
  const answer = feedOf([paperEntry])(request, index);
  const body = String(answer.body)
    .replaceAll('<arxiv:', '<a:')
    .replaceAll('</arxiv:', '</a:')
    .replace(/<a:(\w+)>/g, '<a:$1 xmlns:a="http://arxiv.org/schemas/atom">');
  return { ...answer, body };
};

const bomb = `<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>
<feed><entry><title>&b;</title></entry></feed>`;

const withdrawn: readonly Entry[] = [
  {
    ...oldEntry,
    id: 'http://arxiv.org/abs/2401.1w',
    summary: 'This paper has been withdrawn by the author.',
  },
  {
    id: 'http://arxiv.org/abs/2401.00002v2',
    title: 'Withdrawn',
    summary: 'We sleep.',
    more: '<arxiv:comment>Withdrawn due to an error in Lemma 2</arxiv:comment>',
  },
];

/** Responses of arXiv, with the expected outcome and ids. */
export const arxivCases: readonly [what: string, Responder, outcome: string, ids: string[]][] = [
  [
    'two papers',
    feedOf([paperEntry, oldEntry]),
    'answered',
    ['10.1000/abc', 'arXiv:hep-ex/0307015'],
  ],
  ['the form before November 2025', oldForm, 'answered', ['10.1000/abc']],
  ['no paper', feedOf([], { total: 0 }), 'answered', []],
  ['a count of 1 and no entry', feedOf([], { total: 1 }), 'answered', []],
  ['an error as an entry', feedOf([errorEntry]), 'failed: bad_query', []],
  ['the same with status 400', feedOf([errorEntry], { status: 400 }), 'failed: bad_query', []],
  [
    'a search for something else',
    () => ({ body: feed([paperEntry], { query: 'all:x:y' }) }),
    'failed: bad_answer',
    [],
  ],
  [
    '"Rate exceeded."',
    () => ({ status: 429, headers: { 'content-type': 'text/plain' }, body: 'Rate exceeded.' }),
    'failed: rate_limited',
    [],
  ],
  ['503 with a page', () => ({ status: 503, body: htmlPage }), 'failed: server_error', []],
  ['403', () => ({ status: 403, body: 'Forbidden' }), 'failed: refused', []],
  [
    'a feed that breaks off',
    (request, index) => ({ body: String(feedOf([paperEntry])(request, index).body).slice(0, 900) }),
    'failed: bad_answer',
    [],
  ],
  ['a page with status 200', () => ({ body: htmlPage }), 'failed: bad_answer', []],
  ['an empty body', () => ({ body: '' }), 'failed: bad_answer', []],
  ['another XML document', () => ({ body: '<rss><entry/></rss>' }), 'failed: bad_answer', []],
  [
    'a DOCTYPE alone',
    () => ({ body: `<!DOCTYPE feed><feed><title>none</title></feed>` }),
    'failed: bad_answer',
    [],
  ],
  ['an entity bomb', () => ({ body: bomb }), 'failed: bad_answer', []],
  [
    'an entity without a DOCTYPE',
    () => ({ body: '<feed><title>&b;</title></feed>' }),
    'failed: bad_answer',
    [],
  ],
  [
    'a tower of elements',
    () => ({ body: `${'<feed>'.repeat(5_000)}${'</feed>'.repeat(5_000)}` }),
    'failed: bad_answer',
    [],
  ],
  [
    'bytes that are no UTF-8',
    () => ({ body: Buffer.from([0x3c, 0xff, 0xfe]) }),
    'failed: bad_answer',
    [],
  ],
  ['silence', () => ({ fault: 'hang' }), 'failed: timeout', []],
  [
    'a feed that stops in the middle',
    () => ({ body: '<feed>', fault: 'stall' }),
    'failed: timeout',
    [],
  ],
  ['a connection that is dropped', () => ({ fault: 'reset' }), 'failed: unreachable', []],
  ['a feed of megabytes', () => ({ body: ' '.repeat(2 * 1024 * 1024) }), 'failed: too_large', []],
  ['withdrawn papers', feedOf([...withdrawn, paperEntry]), 'answered', ['10.1000/abc']],
  ['a paper twice', feedOf([paperEntry, paperEntry]), 'answered', ['10.1000/abc']],
];
