/**
 * Crossref, by the works of its REST API (crossref.org/documentation/retrieve-metadata/rest-api).
 *
 * Its cursors cannot be kept: they expire after 5 minutes, and one that is used twice passes over a page.
 * So works are listed by the days on which they were registered, and few at a time: a listing that
 * breaks off starts over.
 */
import { VerbatimError } from '../../errors.ts';
import { LaneFailure } from '../../lanes/lane/lane-errors.ts';
import { crossrefQuota } from '../../lanes/providers/crossref.ts';
import { objectOf, parseJsonObject, stringOf } from '../../lanes/providers/response-json.ts';
import { DAY_MS } from '../../lanes/records/lane-records.ts';
import type { Fetched, ProviderDeps, SourceProvider, Step } from '../ports/provider.ts';
import type { Position, SourceQuery } from '../ports/source.ts';
import { addDays, dayOf } from './days.ts';
import { publishedBetween, toldTypes } from './told-selection.ts';

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
const OWN_FILTERS = /(?:^|,)\s*(has-abstract|(?:from|until)-(?:created|update|pub)-date):/;
/** Types of works that have abstracts (api.crossref.org/types). */
const TYPES = [
  'book book-chapter book-part book-section component database dataset dissertation edited-book',
  'journal-article monograph other peer-review posted-content proceedings-article reference-book',
  'reference-entry report report-component standard',
].flatMap((names) => names.split(' '));
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
  pace: () => ({ subject: 'crossref', lane: 'web', gap: 'webGapMs', quotaOf: crossrefQuota }),
  addressOf: (_, { crossrefUrl }) => crossrefUrl,
  needsContact: true,
  subjectOf: ({ filter, from }) => filter ?? (from === undefined ? 'all' : `from-${from}`),
  describe({ filter = '' }, { crossrefRowsMax }) {
    const own = OWN_FILTERS.exec(filter)?.[1];
    if (own !== undefined) {
      const problem = `--filter cannot have ${own}, which the source sets itself`;
      throw new VerbatimError('usage', problem);
    }
    const requests = Math.ceil(RECORDS / crossrefRowsMax);
    const size = { isAtMost: true, records: RECORDS, requests, bytes: RECORDS * BYTES_PER_RECORD };
    return {
      method: 'REST, works with an abstract; later what changed, and new notices about works',
      license:
        'facts are free to use, abstracts may be under copyright of their publishers ' +
        '(crossref.org/documentation/retrieve-metadata/rest-api)',
      ...(filter === '' ? { size } : { sent: ['the filter'] }),
    };
  },
  steps,
};

async function* steps(
  query: SourceQuery,
  { since, next: before }: CrossrefPosition = {},
  deps: ProviderDeps,
): AsyncGenerator<Step, void> {
  const kept = since === undefined ? {} : { since };
  let listing = before ?? wholeOf('works', dayOf(deps.now() - DEPOSIT_MS));
  let restarts = 0;
  while (listing.from <= listing.began) {
    const next = yield* list(listing, { query, kept, deps });
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
  query: SourceQuery;
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
      const { path, bytes } = page;
      const progress = { done: done + seen.size, total, unit: 'records' as const };
      const part = { path, bytes, name: listing.of, format: 'crossref', progress };
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
  { until, cursor, query, kept, deps }: Context & { until: string; cursor: string },
): URL {
  const { laneContact, crossrefRowsMax } = deps.settings;
  const filters: string[] = [`from-created-date:${from}`, `until-created-date:${until}`];
  if (kept.since !== undefined) filters.push(`from-update-date:${kept.since}`);
  const url = new URL(`${query.url.replace(/\/+$/, '')}/works`);
  // A notice may be of another kind than its paper, so the operator's filter does not apply to it.
  // Works come whole, because their language cannot be selected.
  if (of === 'notices') {
    filters.push('is-update:true');
    url.searchParams.set('select', 'DOI,update-to');
  } else {
    const [first, last] = publishedBetween(query, deps.selection);
    filters.push('has-abstract:true');
    if (first !== undefined) filters.push(`from-pub-date:${first}`);
    if (last !== undefined) filters.push(`until-pub-date:${last}`);
    // Of several types, Crossref takes any.
    const isOfTypes = /(?:^|,)\s*type:/.test(query.filter ?? '');
    const types = isOfTypes ? [] : toldTypes(TYPES, deps.selection);
    filters.push(...types.map((type) => `type:${type}`));
    if (query.filter !== undefined) filters.push(query.filter);
  }
  const rows = String(crossrefRowsMax);
  const parameters = { filter: filters.join(','), rows, cursor, mailto: laneContact };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

interface Page {
  dois: string[];
  total: number;
  /** Empty: it is the last one. It may be the same on all pages. */
  cursor: string;
}

/** Resolves to undefined if the cursor has expired. */
async function fetchPage(
  url: URL,
  { fetcher }: ProviderDeps,
): Promise<(Page & Fetched) | undefined> {
  const { page, ...fetched } = await fetcher.fetchPage(
    { url },
    (text, { status }) => (REJECTED.includes(status) ? undefined : readPage(text)),
    { accepted: REJECTED },
  );
  if (page !== undefined) return { ...page, ...fetched };
  if (url.searchParams.get('cursor') !== '*') return undefined;
  throw new LaneFailure('bad_query', `Crossref: status ${fetched.status}; is the filter right?`);
}

/** Throws `bad_answer` for anything but a list of works. */
function readPage(text: string): Page {
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
