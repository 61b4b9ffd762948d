/** arXiv, by its OAI-PMH interface (info.arxiv.org/help/oa; OAI-PMH 2.0). */
import { readFile } from 'node:fs/promises';
import { VerbatimError } from '../../errors.ts';
import { LaneFailure } from '../../lanes/lane/lane-errors.ts';
import { accountOf, requestsPerDayMaxOf } from '../../lanes/lane-settings.ts';
import { parseXml } from '../../lanes/providers/feed-xml.ts';
import { childOf, type XmlElement } from '../../text/xml-tree.ts';
import type { Fetched, ProviderDeps, SourceProvider, Step } from '../ports/provider.ts';
import type { Position, SourceOptions } from '../ports/source.ts';

const ADDRESS = 'https://oaipmh.arxiv.org/oai';
/** arXiv has some 2.9 million papers in 2026, and answers with some 1,000 records of 2 KB each. */
const RECORDS = 2_900_000;
const RECORDS_PER_PAGE = 1_000;
const BYTES_PER_RECORD = 2_200;
/** Times in a row that a token may have expired when it is used. */
const RESTARTS_MAX = 3;

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
  pace: {
    subject: 'arxiv',
    account: (settings) => accountOf('arxiv', settings),
    gapMs: ({ arxivGapMs }) => arxivGapMs,
    requestsPerDayMax: (settings) => requestsPerDayMaxOf('arxiv', settings),
  },
  subjectOf: ({ set = 'all' }) => set,
  announce({ from, url = ADDRESS }, settings) {
    if (settings.laneContact === '') {
      throw new VerbatimError(
        'usage',
        'arXiv asks for a contact address: set VERBATIM_LANE_CONTACT',
      );
    }
    if (from !== undefined && !/^\d{4}-\d\d-\d\d$/.test(from)) {
      throw new VerbatimError('usage', '--from must be a day such as 2024-01-31');
    }
    return {
      hosts: [new URL(url).host],
      method: 'OAI-PMH, records whose metadata changed since that day',
      sent: [`the contact address ${settings.laneContact}`],
      license: 'CC0 1.0 for the metadata (info.arxiv.org/help/api/tou.html)',
      gapMs: settings.arxivGapMs,
      size: {
        isAtMost: true,
        records: RECORDS,
        requests: Math.ceil(RECORDS / RECORDS_PER_PAGE),
        bytes: RECORDS * BYTES_PER_RECORD,
      },
    };
  },
  steps,
};

async function* steps(
  options: SourceOptions,
  position: ArxivPosition | undefined,
  deps: ProviderDeps,
): AsyncGenerator<Step, void> {
  const from = position?.from ?? options.from;
  let { token, began } = position ?? {};
  let [restarts, pages, furthest] = [0, 0, 0];
  for (;;) {
    const { page, fetched } = await fetchPage(options, { from, token }, deps);
    if (page.error === 'badResumptionToken' && token !== undefined && restarts < RESTARTS_MAX) {
      // Tokens expire after a day. Known records are passed over at the speed of reading.
      token = undefined;
      restarts++;
      pages = 0;
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
    const part = { name: 'oai', path, bytes, format: 'arxiv-oai', mayDelete: true };
    const since = from === undefined ? {} : { from };
    yield {
      part: page.total === undefined ? part : { ...part, progress: page.total },
      next: token === undefined ? { from: began } : { ...since, token, began },
    };
    if (token === undefined) return;
    pages++;
    if (pages > furthest) [furthest, restarts] = [pages, 0];
  }
}

interface Page {
  error: string | undefined;
  /** Empty: it is the last one. */
  token: string;
  /** The day of the response, in UTC. */
  day: string;
  total: { done: number; total: number; unit: 'records' } | undefined;
}

async function fetchPage(
  { set, url = ADDRESS }: SourceOptions,
  { from, token }: { from: string | undefined; token: string | undefined },
  { fetcher, settings }: ProviderDeps,
): Promise<{ page: Page; fetched: Fetched }> {
  const request = new URL(url);
  const asked =
    token === undefined ? { metadataPrefix: 'arXiv', set, from } : { resumptionToken: token };
  request.searchParams.set('verb', 'ListRecords');
  for (const [name, value] of Object.entries(asked)) {
    if (value !== undefined) request.searchParams.set(name, value);
  }
  let page: Page | undefined;
  const fetched = await fetcher.fetch(
    { url: request },
    {
      name: 'page.xml',
      bytesMax: settings.sourcePageBytesMax,
      async check({ path }) {
        page = readPage(await readFile(path, 'utf8'), settings.laneXmlDepthMax);
      },
    },
  );
  return { page: page as Page, fetched };
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
  return { error: code, token: token?.text.trim() ?? '', day, total: totalOf(token) };
}

/** arXiv no longer says how much it is; mirrors and other repositories may. */
function totalOf(token: XmlElement | undefined): Page['total'] {
  const [done, total] = ['cursor', 'completeListSize'].map((name) =>
    Number(token?.attributes[name] ?? Number.NaN),
  ) as [number, number];
  return Number.isFinite(done + total) ? { done, total, unit: 'records' } : undefined;
}
