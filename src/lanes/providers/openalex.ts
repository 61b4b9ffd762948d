/** OpenAlex: works searched by words. Abstracts come as an inverted index and are put together. */
import { LaneFailure } from '../lane/lane-errors.ts';
import type { HttpRequest, HttpResponse, Provider, Quota } from '../lane/provider.ts';
import { plainText } from '../text/plain-text.ts';
import { anyWordOf } from '../text/query-text.ts';
import { type SplitSentences, wholeSentences } from '../text/whole-sentences.ts';
import { acceptedBody, numberOf } from '../transport/response-status.ts';
import {
  arrayOf,
  type JsonObject,
  objectOf,
  objectsOf,
  parseJsonObject,
  stringOf,
} from './response-json.ts';
import type { DocumentContext, FoundPaper } from './to-documents.ts';
import { createWebProvider, type WebSettings } from './web-provider.ts';

export interface OpenalexSettings extends WebSettings {
  openalexUrl: string;
  openalexKey: string;
  laneWordsMax: number;
}

const FIELDS =
  'id,doi,ids,display_name,publication_year,authorships,abstract_inverted_index,is_retracted';
/** Larger positions in an inverted index are not believed. */
const POSITION_MAX = 100_000;
const GAP = '…';

export function createOpenalex(settings: OpenalexSettings, context: DocumentContext): Provider {
  return createWebProvider(settings, context, {
    requestFor: (query) => openalexRequest(query, settings),
    papersOf: (response) => parseOpenalex(acceptedBody(response), context.split),
    budgetOf: openalexQuota,
  });
}

function openalexRequest(query: string, settings: OpenalexSettings): HttpRequest {
  const url = new URL('/works', settings.openalexUrl);
  url.searchParams.set('search', anyWordOf(query, settings.laneWordsMax));
  url.searchParams.set('filter', 'has_abstract:true');
  url.searchParams.set('per_page', String(settings.laneResultsMax));
  url.searchParams.set('select', FIELDS);
  const { openalexKey: key } = settings;
  // OpenAlex takes the key in the address, too, but then logs on the way would show it.
  return key === '' ? { url } : { url, secretHeaders: { authorization: `Bearer ${key}` } };
}

/** The papers of a list of works. Throws `bad_answer` for anything else. */
function parseOpenalex(body: string, split: SplitSentences): FoundPaper[] {
  const { results } = parseJsonObject(body);
  if (!Array.isArray(results)) {
    throw new LaneFailure('bad_answer', 'OpenAlex did not return a list of works');
  }
  return objectsOf(results).map((work) => paperOf(work, split));
}

function paperOf(work: JsonObject, split: SplitSentences): FoundPaper {
  const ids = objectOf(work['ids']);
  return {
    id: '',
    identifiers: {
      doi: work['doi'],
      openalex: work['id'],
      pmid: ids['pmid'],
      pmcid: ids['pmcid'],
    },
    title: work['display_name'],
    abstract: textOfInvertedIndex(work['abstract_inverted_index'], split),
    year: work['publication_year'],
    authors: objectsOf(work['authorships']).map(
      (authorship) =>
        stringOf(objectOf(authorship['author'])['display_name']) ||
        stringOf(authorship['raw_author_name']),
    ),
    withheld: work['is_retracted'] === true ? 'retracted' : undefined,
  };
}

/**
 * The text of an inverted index such as `{"Cats":[0],"sleep.":[1,3]}`. Sentences in which a word is
 * missing, or two words claim one position, are dropped.
 */
export function textOfInvertedIndex(inverted: unknown, split: SplitSentences): string {
  const words = new Map<number, string>();
  for (const [word, positions] of Object.entries(objectOf(inverted))) {
    for (const position of arrayOf(positions)) {
      if (!isPosition(position)) continue;
      const other = words.get(position);
      words.set(position, other === undefined || other === word ? word : GAP);
    }
  }
  const order = [...words.keys()].sort((a, b) => a - b);
  const tokens = order.flatMap((position, index) => {
    const word = words.get(position) ?? '';
    const isAfterGap = position !== (index === 0 ? 0 : (order[index - 1] ?? 0) + 1);
    return isAfterGap ? [GAP, word] : [word];
  });
  const text = plainText(tokens.join(' '));
  return tokens.includes(GAP) ? wholeSentences(text, split).text : text;
}

function isPosition(value: unknown): value is number {
  return (
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= POSITION_MAX
  );
}

/** Exhausted if no requests or dollars are left today. The reset header counts seconds. */
export function openalexQuota(headers: HttpResponse['headers']): Quota {
  const resetSeconds = numberOf(headers['x-ratelimit-reset']);
  const remaining = numberOf(headers['x-ratelimit-remaining']);
  const dollars = numberOf(headers['x-ratelimit-remaining-usd']);
  const prepaid = numberOf(headers['x-ratelimit-prepaid-remaining-usd']) ?? 0;
  const cost = numberOf(headers['x-ratelimit-cost-usd']) ?? 0;
  const isSpent =
    (remaining ?? 1) <= 0 || (dollars !== undefined && (dollars <= 0 || dollars < cost));
  if (!isSpent || prepaid > 0 || resetSeconds === undefined) return {};
  return { exhaustedForMs: resetSeconds * 1_000 };
}
