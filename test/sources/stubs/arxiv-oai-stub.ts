/**
 * A stub of arXiv's OAI-PMH interface, after info.arxiv.org/help/oa and openarchives.org/OAI/2.0 (read in
 * November 2026): records by day of change and set, pages with tokens that expire, deleted records.
 */
import { type StubAnswer, type StubServer, startStub } from '../../support/lanes/stub-server.ts';

export interface OaiRecord {
  /** Such as 2401.00001. */
  id: string;
  title: string;
  abstract?: string;
  /** The day of its last change. */
  changed: string;
  isDeleted?: boolean;
}

export interface ArxivOaiStub extends StubServer {
  records: OaiRecord[];
  perPage: number;
  /** The day in the responses. */
  today: string;
  /** Forgets all tokens that were given. */
  expireTokens(): void;
  /** The next request gets this instead; may be called for several. */
  failOnce(fault: StubAnswer): void;
}

export async function startArxivOai(
  records: OaiRecord[],
  { perPage = 2 }: { perPage?: number } = {},
): Promise<ArxivOaiStub> {
  const tokens = new Map<string, OaiRecord[]>();
  const faults: StubAnswer[] = [];
  let given = 0;
  const stub = await startStub(({ query }) => {
    const fault = faults.shift();
    if (fault !== undefined) return fault;
    const { resumptionToken: token, from = '' } = query;
    const rest =
      token === undefined ? state.records.filter((one) => one.changed >= from) : tokens.get(token);
    if (rest === undefined) return xml('<error code="badResumptionToken">it has expired</error>');
    if (rest.length === 0 && token === undefined) return xml('<error code="noRecordsMatch"/>');
    const more = rest.slice(state.perPage);
    let next = '';
    if (more.length > 0) {
      next = `token&${++given}`;
      tokens.set(next, more);
    }
    const shown = rest.slice(0, state.perPage).map(recordXml).join('');
    const last =
      more.length > 0 || token !== undefined
        ? `<resumptionToken>${next.replace('&', '&amp;')}</resumptionToken>`
        : '';
    return xml(`<ListRecords>${shown}${last}</ListRecords>`);
  });
  const xml = (content: string) => ({
    headers: { 'content-type': 'text/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>${state.today}T01:00:00Z</responseDate>
<request verb="ListRecords">https://oaipmh.arxiv.org/oai</request>${content}</OAI-PMH>`,
  });
  const state = Object.assign(stub, {
    records,
    perPage,
    today: '2026-11-01',
    expireTokens: () => tokens.clear(),
    failOnce: (fault: StubAnswer) => void faults.push(fault),
  });
  return state;
}

function recordXml({ id, title, abstract = '', changed, isDeleted = false }: OaiRecord): string {
  const head = `<identifier>oai:arXiv.org:${id}</identifier><datestamp>${changed}</datestamp><setSpec>cs:cs:AI</setSpec>`;
  if (isDeleted) return `<record><header status="deleted">${head}</header></record>`;
  return `<record><header>${head}</header><metadata><arXiv xmlns="http://arxiv.org/OAI/arXiv/"><id>${id}</id>
<created>2024-01-01</created><authors><author><keyname>Berg</keyname><forenames>Ada</forenames></author></authors>
<title>${title}</title><categories>cs.AI</categories><abstract>  ${abstract}
</abstract></arXiv></metadata></record>`;
}
