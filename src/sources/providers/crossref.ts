/**
 * Crossref, by the works of its REST API (crossref.org/documentation/retrieve-metadata/rest-api).
 *
 * Its cursors cannot be kept: they expire after 5 minutes, and one that is used twice passes over a page.
 * So works are listed by the days on which they were registered, and few at a time: a listing that
 * breaks off starts over.
 */
import { readFile } from 'node:fs/promises';
import { VerbatimError } from '../../errors.ts';
import { LaneFailure } from '../../lanes/lane/lane-errors.ts';
import { accountOf, requestsPerDayMaxOf } from '../../lanes/lane-settings.ts';
import { crossrefQuota } from '../../lanes/providers/crossref.ts';
import { objectOf, parseJsonObject, stringOf } from '../../lanes/providers/response-json.ts';
import { DAY_MS } from '../../lanes/records/lane-records.ts';
import type { Fetched, ProviderDeps, SourceProvider, Step } from '../ports/provider.ts';
import type { Position, SourceOptions } from '../ports/source.ts';

/** Works with an abstract in 2026, and their size in JSON: estimated. */
const RECORDS = 30_000_000;
const BYTES_PER_RECORD = 8_000;
/** No work was registered before. */
const FIRST_DAY = '2000-01-01';
/** What was deposited is found after 20 minutes. */
const DEPOSIT_MS = 3_600_000;
/** Times in a row that a listing may break off. */
const RESTARTS_MAX = 3;
/** The filters that only this file sets: Crossref takes the same filter twice as "or". */
const OWN_FILTERS =
  /(?:^|,)\s*(has-abstract|(?:from|until)-(?:created|update)-date|from-pub-date):/;
/** The status for a bad filter, and for a cursor that has expired. */
const REJECTED = [400, 404];

interface CrossrefPosition extends Position {
  /** The next run asks for what changed since this day; absent: for all works. */
  since?: string;
  /** What is listed next; absent: the last run was complete. */
  next?: Listing;
}

/** Works that were registered in some days. */
interface Listing {
  /** Works with an abstract, or the notices about works, such as retractions. */
  of: 'works' | 'notices';
  from: string;
  days: number;
  /** The day on which the run began. */
  began: string;
  /** Works that were listed before, and of how many; absent: not known yet. */
  done: number;
  total?: number;
}

export const crossrefProvider: SourceProvider = {
  name: 'crossref',
  description: 'Crossref, works with an abstract: --filter issn:1234-5678; --from a year or day',
  takes: ['filter', 'from'],
  pace: {
    subject: 'crossref',
    account: (settings) => accountOf('crossref', settings),
    gapMs: ({ webGapMs }) => webGapMs,
    requestsPerDayMax: (settings) => requestsPerDayMaxOf('web', settings),
    quotaOf: crossrefQuota,
  },
  subjectOf: ({ filter, from }) => filter ?? (from === undefined ? 'all' : `from-${from}`),
  announce({ filter = '', from, url }, settings) {
    const { laneContact, crossrefUrl, webGapMs, crossrefRowsMax } = settings;
    const usage = (problem: string) => new VerbatimError('usage', problem);
    if (laneContact === '') {
      throw usage('Crossref asks for a contact address: set VERBATIM_LANE_CONTACT');
    }
    if (from !== undefined && !/^\d{4}(-\d\d(-\d\d)?)?$/.test(from)) {
      throw usage('--from must be a year or a day such as 2024-01-31');
    }
    const own = OWN_FILTERS.exec(filter)?.[1];
    if (own !== undefined) throw usage(`--filter cannot have ${own}, which the source sets itself`);
    const requests = Math.ceil(RECORDS / crossrefRowsMax);
    const size = { isAtMost: true, records: RECORDS, requests, bytes: RECORDS * BYTES_PER_RECORD };
    return {
      hosts: [new URL(url ?? crossrefUrl).host],
      method: 'REST, works with an abstract; later what changed, and new notices about works',
      sent: [`the contact address ${laneContact}`, ...(filter === '' ? [] : ['the filter'])],
      license:
        'facts are free to use, abstracts may be under copyright of their publishers ' +
        '(crossref.org/documentation/retrieve-metadata/rest-api)',
      gapMs: webGapMs,
      ...(filter === '' ? { size } : {}),
    };
  },
  steps,
};

async function* steps(
  options: SourceOptions,
  { since, next: before }: CrossrefPosition = {},
  deps: ProviderDeps,
): AsyncGenerator<Step, void> {
  const kept = since === undefined ? {} : { since };
  let listing = before ?? wholeOf('works', dayOf(deps.now() - DEPOSIT_MS));
  let restarts = 0;
  while (listing.from <= listing.began) {
    const next = yield* list(listing, { options, kept, deps });
    if (next === undefined && ++restarts > RESTARTS_MAX) {
      throw new LaneFailure('bad_answer', `Crossref's listing broke off ${restarts} times`);
    }
    if (next === undefined) continue;
    restarts = 0;
    // On the first run, the works themselves tell of their notices.
    const isLast = next.of === 'notices' || since === undefined;
    listing = next.from <= next.began || isLast ? next : wholeOf('notices', next.began);
    if (listing.from <= listing.began) yield { next: { ...kept, next: listing } };
  }
  yield { next: { since: listing.began } };
}

interface Context {
  options: SourceOptions;
  kept: Pick<CrossrefPosition, 'since'>;
  deps: ProviderDeps;
}

/**
 * Lists its days, or finds that they are too many. Returns what is to be listed next; undefined if it
 * broke off: the cursor has expired, or works are missing.
 */
async function* list(
  listing: Listing,
  context: Context,
): AsyncGenerator<Step, Listing | undefined> {
  const { crossrefListingMax } = context.deps.settings;
  const until = [addDays(listing.from, listing.days - 1), listing.began].sort()[0] as string;
  const days = daysIn(listing.from, until);
  const seen = new Set<string>();
  let expected: number | undefined;
  for (let cursor = '*'; ; ) {
    const page = await fetchPage(urlOf(listing, { until, cursor, ...context }), context.deps);
    if (page === undefined) return undefined;
    expected ??= page.total;
    const { total = expected, done } = listing;
    if (expected > crossrefListingMax && days > 1) {
      const fewer = Math.max(1, Math.floor((days * crossrefListingMax) / expected));
      return { ...listing, total, days: fewer };
    }
    const before = seen.size;
    for (const doi of page.dois) seen.add(doi);
    if (seen.size > before) {
      const { path, bytes } = page.fetched;
      const progress = { done: done + seen.size, total, unit: 'records' as const };
      const part = { name: listing.of, path, bytes, format: 'crossref', progress };
      yield { part, next: { ...context.kept, next: listing } };
    }
    if (seen.size >= expected) {
      const isSparse = expected <= crossrefListingMax / 2;
      const further = { from: addDays(until, 1), days: isSparse ? 2 * days : days };
      return { ...listing, ...further, total, done: done + seen.size };
    }
    if (seen.size === before || page.cursor === '') return undefined;
    cursor = page.cursor;
  }
}

function urlOf(
  { of, from }: Listing,
  { until, cursor, options, kept, deps }: Context & { until: string; cursor: string },
): URL {
  const { laneContact, crossrefUrl, crossrefRowsMax } = deps.settings;
  const filters: string[] = [`from-created-date:${from}`, `until-created-date:${until}`];
  if (kept.since !== undefined) filters.push(`from-update-date:${kept.since}`);
  const url = new URL(`${(options.url ?? crossrefUrl).replace(/\/+$/, '')}/works`);
  // A notice may be of another kind than its paper, so the operator's filter does not apply to it.
  // Works come whole, because their language cannot be selected.
  if (of === 'notices') {
    filters.push('is-update:true');
    url.searchParams.set('select', 'DOI,update-to');
  } else {
    filters.push('has-abstract:true');
    if (options.from !== undefined) filters.push(`from-pub-date:${options.from}`);
    if (options.filter !== undefined) filters.push(options.filter);
  }
  const rows = String(crossrefRowsMax);
  const parameters = { filter: filters.join(','), rows, cursor, mailto: laneContact };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

interface Page {
  fetched: Fetched;
  dois: string[];
  total: number;
  /** Empty: it is the last one. It may be the same on all pages. */
  cursor: string;
}

/** Resolves to undefined if the cursor has expired. */
async function fetchPage(url: URL, { fetcher, settings }: ProviderDeps): Promise<Page | undefined> {
  let page: Omit<Page, 'fetched'> | undefined;
  const fetched = await fetcher.fetch(
    { url },
    {
      name: 'page.json',
      bytesMax: settings.sourcePageBytesMax,
      accepted: REJECTED,
      async check({ status, path }) {
        if (!REJECTED.includes(status)) page = readPage(await readFile(path, 'utf8'));
      },
    },
  );
  if (page !== undefined) return { ...page, fetched };
  if (url.searchParams.get('cursor') !== '*') return undefined;
  throw new LaneFailure('bad_query', `Crossref: status ${fetched.status}; is the filter right?`);
}

/** Throws `bad_answer` for anything but a list of works. */
function readPage(text: string): Omit<Page, 'fetched'> {
  const message = objectOf(parseJsonObject(text)['message']);
  const { items, 'total-results': total, 'next-cursor': cursor } = message;
  if (!Array.isArray(items) || typeof total !== 'number') {
    throw new LaneFailure('bad_answer', 'Crossref did not return a list of works');
  }
  const dois = items.map((item) => stringOf(objectOf(item)['DOI']));
  return { dois, total, cursor: stringOf(cursor) };
}

function wholeOf(of: Listing['of'], began: string): Listing {
  return { of, from: FIRST_DAY, days: daysIn(FIRST_DAY, began), began, done: 0 };
}

function daysIn(first: string, last: string): number {
  return (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
}

function addDays(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * DAY_MS);
}

/** As in 2024-01-31, in UTC. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
