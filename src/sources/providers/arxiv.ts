/** arXiv, by its OAI-PMH interface (info.arxiv.org/help/oa; OAI-PMH 2.0). */
import { LaneFailure } from '../../lanes/lane/lane-errors.ts';
import { parseXml } from '../../lanes/providers/feed-xml.ts';
import { childOf } from '../../text/xml-tree.ts';
import type { Fetched, ProviderDeps, SourceProvider, Step } from '../ports/provider.ts';
import type { Position, SourceQuery } from '../ports/source.ts';

const ADDRESS = 'https://oaipmh.arxiv.org/oai';
/** arXiv has some 2.9 million papers in 2026, and answers with some 1,000 records of 2 KB each. */
const RECORDS = 2_900_000;
const RECORDS_PER_PAGE = 1_000;
const BYTES_PER_RECORD = 2_200;

interface ArxivPosition extends Position {
  /** The next harvest asks for what was modified since this day; absent: for all. */
  from?: string;
  /** The token of the page after the last one; absent: the last harvest was complete. */
  token?: string;
  /** The day on which the harvest began. */
  began?: string;
}

export const arxivProvider: SourceProvider = {
  name: 'arxiv',
  description: 'arXiv by OAI-PMH: all of it, or --set cs, physics:hep-th, ...; --from a day',
  takes: ['set', 'from'],
  pace: () => ({ subject: 'arxiv', lane: 'arxiv', gap: 'arxivGapMs' }),
  addressOf: () => ADDRESS,
  needsContact: true,
  subjectOf: ({ set = 'all' }) => set,
  describe: () => ({
    method: 'OAI-PMH, records whose metadata changed since that day',
    license: 'CC0 1.0 for the metadata (info.arxiv.org/help/api/tou.html)',
    size: {
      isAtMost: true,
      records: RECORDS,
      requests: Math.ceil(RECORDS / RECORDS_PER_PAGE),
      bytes: RECORDS * BYTES_PER_RECORD,
    },
  }),
  steps,
};

async function* steps(
  query: SourceQuery,
  position: ArxivPosition | undefined,
  deps: ProviderDeps,
): AsyncGenerator<Step, void> {
  const from = position?.from ?? query.from;
  let { token, began } = position ?? {};
  let [pages, pagesBefore] = [0, -1];
  for (;;) {
    const fetched = await fetchPage(query, { from, token }, deps);
    const { page } = fetched;
    if (page.error === 'badResumptionToken' && token !== undefined && pages > pagesBefore) {
      // Tokens expire after a day. The list starts over, if it got further than the last time. Known
      // records are passed over at the speed of reading.
      token = undefined;
      [pages, pagesBefore] = [0, pages];
      continue;
    }
    began ??= page.day;
    if (page.error === 'noRecordsMatch') {
      yield { next: { from: began } };
      return;
    }
    if (page.error !== undefined) throw new LaneFailure('bad_query', `arXiv: ${page.error}`);
    if (page.token !== '' && page.token === token) {
      throw new LaneFailure('bad_answer', 'arXiv repeats its resumption token');
    }
    token = page.token === '' ? undefined : page.token;
    const { path, bytes } = fetched;
    const since = from === undefined ? {} : { from };
    yield {
      part: { path, bytes, name: 'oai', format: 'arxiv-oai', mayDelete: true },
      next: token === undefined ? { from: began } : { ...since, token, began },
    };
    if (token === undefined) return;
    pages++;
  }
}

interface Page {
  error: string | undefined;
  /** Empty: it is the last one. */
  token: string;
  /** The day of the response, in UTC. */
  day: string;
}

function fetchPage(
  { set, url }: SourceQuery,
  { from, token }: { from: string | undefined; token: string | undefined },
  { fetcher, settings }: ProviderDeps,
): Promise<Fetched & { page: Page }> {
  const request = new URL(url);
  const asked =
    token === undefined ? { metadataPrefix: 'arXiv', set, from } : { resumptionToken: token };
  request.searchParams.set('verb', 'ListRecords');
  for (const [name, value] of Object.entries(asked)) {
    if (value !== undefined) request.searchParams.set(name, value);
  }
  return fetcher.fetchPage({ url: request }, (text) => readPage(text, settings.laneXmlDepthMax));
}

/** Throws `bad_answer` for anything but an answer of OAI-PMH. */
function readPage(text: string, depthMax: number): Page {
  const root = parseXml(text, depthMax);
  const day = /^\d{4}-\d\d-\d\d/.exec(childOf(root, 'responseDate')?.text ?? '')?.[0];
  const error = childOf(root, 'error');
  const list = childOf(root, 'ListRecords');
  if (day === undefined || (error ?? list) === undefined) {
    throw new LaneFailure('bad_answer', 'the response is none of OAI-PMH');
  }
  const token = list && childOf(list, 'resumptionToken');
  const code = error && (error.attributes['code'] ?? 'error');
  return { error: code, token: token?.text.trim() ?? '', day };
}
