/** Works of OpenAlex by its API: pages of a list, by a cursor (help.openalex.org/api/paging). */
import { VerbatimError } from '../../errors.ts';
import { LaneFailure } from '../../lanes/lane/lane-errors.ts';
import { objectOf, parseJsonObject, stringOf } from '../../lanes/providers/response-json.ts';
import { assertAccepted } from '../../lanes/transport/response-status.ts';
import type { Settings } from '../../settings/config.ts';
import type { Fetched, ProviderDeps, Step } from '../ports/provider.ts';
import type { Position, SourceQuery } from '../ports/source.ts';
import { addDays, dayOf } from './days.ts';
import { filterOf } from './openalex-filter.ts';

/** The most that OpenAlex supports. */
export const WORKS_PER_PAGE = 100;
/** OpenAlex learns of most works within this time of their publication. */
export const LATE_DAYS = 90;
/** Pages without works in a row that are not the last. */
const EMPTY_PAGES_MAX = 3;
const MESSAGE_CHARACTERS_MAX = 200;
/** In place of a cursor. */
const FIRST_PAGE = '*';
/** What the format `openalex` reads of a work. */
const FIELDS =
  'id,doi,ids,title,display_name,publication_year,language,type,authorships,primary_location,' +
  'locations,best_oa_location,open_access,cited_by_count,is_retracted,abstract_inverted_index,' +
  'primary_topic,updated_date';

interface ApiPosition extends Position {
  /** The day on which the last complete fetch began; absent: there was none. */
  since?: string;
  /** The page after the last one; absent: the last fetch is complete. */
  at?: Place;
}

interface Place {
  /**
   * `all`: of the first run. `changed`: since the last one, for keys of paid plans. `recent`, and
   * `retracted` after it: for others.
   */
  listing: 'all' | 'changed' | 'recent' | 'retracted';
  cursor: string;
  /** Works on the pages before. */
  done: number;
  /** The day on which the fetch began. */
  began: string;
}

export async function* apiSteps(
  query: SourceQuery,
  position: ApiPosition = {},
  deps: ProviderDeps,
): AsyncGenerator<Step, void> {
  const updates = keyFor(query.url, deps.settings) === '' ? 'recent' : 'changed';
  const listing = position.since === undefined ? 'all' : updates;
  const first = { listing, cursor: FIRST_PAGE, done: 0, began: dayOf(deps.now()) } as const;
  let at: Place = position.at ?? first;
  let [emptyPages, doneBefore] = [0, -1];
  for (;;) {
    const { page, path, bytes } = await fetchPage(query, { ...position, at }, deps);
    if (page === 'no_plan' || page === 'bad_cursor') {
      // The list starts over, if it got further than the last time, as arXiv's.
      if (at.done <= doneBefore) throw badAnswer('OpenAlex refuses its cursors');
      doneBefore = at.done;
      at = startOf(page === 'no_plan' ? 'recent' : at.listing, at);
      continue;
    }
    const { works, total, cursor } = page;
    if (cursor === at.cursor) throw badAnswer('OpenAlex repeats its cursor');
    emptyPages = works === 0 ? emptyPages + 1 : 0;
    if (emptyPages > EMPTY_PAGES_MAX) throw badAnswer('OpenAlex goes on with empty pages');
    const done = at.done + works;
    const after = at.listing === 'recent' ? startOf('retracted', at) : undefined;
    const following = cursor === '' ? after : { ...at, cursor, done };
    const next: ApiPosition = following ? { ...position, at: following } : { since: at.began };
    const progress = { done, total: Math.max(done, total), unit: 'records' as const };
    const part = { path, bytes, name: 'works', format: 'openalex', progress };
    yield works === 0 ? { next } : { part, next };
    if (following === undefined) return;
    at = following;
  }
}

/** The key is sent only to the address for which it is set. '': there is none. */
export function keyFor(url: string, { openalexUrl, openalexKey }: Settings): string {
  return new URL(url).origin === new URL(openalexUrl).origin ? openalexKey : '';
}

function startOf(listing: Place['listing'], at: Place): Place {
  return { ...at, listing, cursor: FIRST_PAGE, done: 0 };
}

function badAnswer(message: string): LaneFailure {
  return new LaneFailure('bad_answer', message);
}

type Page =
  /** `total`: of the whole list. `cursor`: of the next page; empty: there is none. */
  | { works: number; total: number; cursor: string }
  /** The plan of the key excludes the filter. */
  | 'no_plan'
  | 'bad_cursor';

function fetchPage(
  query: SourceQuery,
  { since = '', at }: { since?: string; at: Place },
  { fetcher, settings, selection }: ProviderDeps,
): Promise<Fetched & { page: Page }> {
  const { listing, cursor } = at;
  const clauses = [
    filterOf(query, selection, listing === 'recent' ? addDays(since, -LATE_DAYS) : undefined),
  ];
  if (listing === 'changed') clauses.push(`from_updated_date:${since}`);
  if (listing === 'retracted') clauses.push('is_retracted:true');
  const url = new URL('/works', query.url);
  const asked = {
    filter: clauses.join(','),
    select: FIELDS,
    per_page: `${WORKS_PER_PAGE}`,
    cursor,
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  const key = keyFor(query.url, settings);
  const secret = key === '' ? {} : { secretHeaders: { authorization: `Bearer ${key}` } };
  const read = (text: string, fetched: Fetched): Page => readPage(text, fetched, at);
  return fetcher.fetchPage({ url, ...secret }, read, { accepted: [400, 429] });
}

/** Throws a LaneFailure for anything but an answer of OpenAlex, and `usage` for a bad filter. */
function readPage(text: string, { status, headers }: Fetched, { listing, cursor }: Place): Page {
  // So OpenAlex answers to a filter that the plan does not include; it is no limit of the rate.
  const needsPlan = status === 429 && /"error"\s*:\s*"Plan upgrade required"/.test(text);
  if (needsPlan && listing === 'changed') return 'no_plan';
  if (status === 429 && !needsPlan) assertAccepted({ status, headers });
  if (status === 400 && cursor !== FIRST_PAGE) return 'bad_cursor';
  const { results, meta, message } = parseJsonObject(text);
  if (needsPlan || status === 400) {
    const shown = JSON.stringify(stringOf(message).slice(0, MESSAGE_CHARACTERS_MAX));
    throw new VerbatimError('usage', `OpenAlex refuses the filter: ${shown}`);
  }
  const { count, next_cursor: next } = objectOf(meta);
  if (Array.isArray(results) && typeof count === 'number') {
    return { works: results.length, total: count, cursor: stringOf(next) };
  }
  throw badAnswer('the response is no page of works');
}
