/** Verifies a quote against the index. */

import type { StoredDocument } from '../../index/documents/stored-document.ts';
import { findAmong } from '../../index/ports/find-among.ts';
import type { DocumentNumber } from '../../types.ts';
import { findNear, type NearRun } from './find-near.ts';
import { findPieced } from './find-pieced.ts';
import {
  countWords,
  type ExactMatch,
  findExact,
  mayBeNear,
  type NearMatch,
  type PreparedQuote,
  partsOf,
  prepareQuote,
  type Source,
  wordsIn,
} from './match-quote.ts';
import type { Change } from './name-changes.ts';
import type { QuotedDocument } from './quoted-documents.ts';
import type { DiffPart } from './word-diff.ts';

/** A quote to verify. */
export interface QuoteItem {
  quote: string;
  /** Any identifier of the paper that it is said to be from; absent if unknown. */
  id?: string;
}

/**
 * `exact`: word for word. `near`: one contiguous run of the source has at least 85 % of the words, or a
 * few runs that the quote puts together have them.
 * `elsewhere`: word for word, but in another paper than the one named. `not_found`: in none of the
 * texts that were covered. `not_indexed`: the paper is not in the index, so nothing can be said.
 * `unreadable`: the quote has too few words.
 */
export type QuoteVerdict =
  | 'exact'
  | 'near'
  | 'elsewhere'
  | 'not_found'
  | 'not_indexed'
  | 'unreadable';

/** What the index has of the paper that was named, or of any paper: never the full text. */
export type Coverage = 'title_and_abstract' | 'title' | 'none';

export interface QuoteResult {
  kind: 'quote';
  verdict: QuoteVerdict;
  /** What was compared with the quote. */
  coverage: Coverage;
  /** The paper with the wording: the one named, or the one that was found. */
  d?: string;
  t?: string;
  /** The source's own wording, byte for byte. */
  wording?: string;
  /** Where it stands. */
  in?: 'title' | 'abstract';
  /** For `near`: the share of words in common, rounded down to 3 decimals. */
  share?: number;
  /** For `near`: the difference. */
  diff?: DiffPart[];
  /** For `near`: what kinds of changes these are, in the order of the quote. */
  changes?: Change[];
  /** For `not_found` with ellipses: whether each part stands in the paper word for word, in order. */
  parts?: { text: string; isExact: boolean }[];
  /** For `unreadable`: why. */
  reason?: string;
}

export interface QuoteDeps {
  read: (documents: readonly DocumentNumber[]) => Promise<QuotedDocument[]>;
  /** The documents known by an identifier in any spelling. */
  find: (id: string) => Promise<DocumentNumber[]>;
  /** Documents that may have the words of a quote. */
  search: (quote: string) => Promise<DocumentNumber[]>;
  isEmpty: () => Promise<boolean>;
}

/** A text of a document. */
interface Compared {
  document: StoredDocument;
  place: 'abstract' | 'title';
  source: Source;
}

/** Documents with more in all are not compared with a quote, but the first that go beyond it. */
const CHARACTERS_MAX = 200_000;
/** Pairs of words and marks of a quote and its sources that are compared to find what it was put together from. */
const PAIRS_MAX = 1_000_000;
/** Fewer words are in too many papers to say where they are from. */
const WORDS_MIN = 3;

export async function verifyQuote({ quote, id }: QuoteItem, deps: QuoteDeps): Promise<QuoteResult> {
  const prepared = prepareQuote(quote.toWellFormed());
  const least = id === undefined ? WORDS_MIN : 1;
  if (countWords(prepared) < least) {
    const reason = `a quote ${id === undefined ? 'without an id ' : ''}needs at least ${least} words`;
    return { kind: 'quote', verdict: 'unreadable', coverage: 'none', reason };
  }
  if (id !== undefined) return verifyInPaper(prepared, id, deps);
  if (await deps.isEmpty()) return { kind: 'quote', verdict: 'not_indexed', coverage: 'none' };
  return (
    (await bestIn(prepared, await deps.search(wordsIn(prepared)), deps)) ?? {
      kind: 'quote',
      verdict: 'not_found',
      coverage: 'title_and_abstract',
    }
  );
}

async function verifyInPaper(
  quote: PreparedQuote,
  id: string,
  deps: QuoteDeps,
): Promise<QuoteResult> {
  const named = await deps.find(id);
  const inPaper = await bestIn(quote, named, deps);
  if (inPaper !== undefined) return inPaper;
  const others = (await deps.search(wordsIn(quote))).filter(
    (document) => !named.includes(document),
  );
  const elsewhere = countWords(quote) < WORDS_MIN ? undefined : await exactIn(quote, others, deps);
  const [first] = await deps.read(named.slice(0, 1));
  const document = first?.document;
  const coverage = document === undefined ? 'none' : coverageOf(document);
  if (elsewhere !== undefined) return { ...elsewhere, verdict: 'elsewhere', coverage };
  if (first === undefined || document === undefined) {
    return { kind: 'quote', verdict: 'not_indexed', coverage };
  }
  const result: QuoteResult = {
    kind: 'quote',
    verdict: 'not_found',
    coverage,
    d: document.id,
    t: document.title,
  };
  const parts = partsIn(quote, first.abstract);
  if (parts.length > 0) result.parts = parts;
  return result;
}

/** The exact match in any of the documents, or else the nearest one. */
async function bestIn(
  quote: PreparedQuote,
  documents: readonly DocumentNumber[],
  deps: QuoteDeps,
): Promise<QuoteResult | undefined> {
  const compared: Compared[] = [];
  const exact = await exactIn(quote, documents, deps, compared);
  if (exact !== undefined) return exact;
  let best: (Compared & { run: NearRun }) | undefined;
  for (const one of compared) {
    // Each further one must be nearer, so it takes less work to rule out.
    const run = findNear(quote, one.source, best?.run.share);
    if (run !== undefined) best = { ...one, run };
  }
  let pairs = 0;
  for (const one of best === undefined ? compared : [best]) {
    pairs += quote.words.tokens.length * one.source.tokens.length;
    if (pairs > PAIRS_MAX) break;
    const match = findPieced(quote, one.source, best?.run.distance);
    if (match !== undefined) return resultOf(one.document, one.place, match);
  }
  return best && resultOf(best.document, best.place, best.run.compare());
}

/** Adds what was compared before a match to `compared`. */
async function exactIn(
  quote: PreparedQuote,
  documents: readonly DocumentNumber[],
  deps: QuoteDeps,
  compared: Compared[] = [],
): Promise<QuoteResult | undefined> {
  let result: QuoteResult | undefined;
  let characters = 0;
  await findAmong(documents, deps.read, (quoted) => {
    const { document } = quoted;
    for (const place of ['abstract', 'title'] as const) {
      const source = quoted[place];
      characters += document[place].length;
      if (!mayBeNear(quote, source)) continue;
      const match = findExact(quote, source);
      if (match !== undefined) result = resultOf(document, place, match);
      if (match !== undefined) return true;
      compared.push({ document, place, source });
    }
    return characters > CHARACTERS_MAX;
  });
  return result;
}

function resultOf(
  document: StoredDocument,
  place: Compared['place'],
  match: ExactMatch | NearMatch,
): QuoteResult {
  const result: QuoteResult = {
    kind: 'quote',
    verdict: match.verdict,
    coverage: coverageOf(document),
    d: document.id,
    t: document.title,
    wording: match.wording,
    in: place,
  };
  if (match.verdict === 'exact') return result;
  const { share, diff, changes } = match;
  return { ...result, share: Math.floor(share * 1000) / 1000, diff, changes };
}

function partsIn(
  quote: PreparedQuote,
  { text, tokens }: Pick<Source, 'text' | 'tokens'>,
): NonNullable<QuoteResult['parts']> {
  let from = 0;
  return partsOf(quote).map((part) => {
    const rest = tokens.filter(({ start }) => start >= from);
    const found = findExact(part, { text, tokens: rest });
    if (found !== undefined) from = text.indexOf(found.wording, from) + found.wording.length;
    return { text: part.text.trim(), isExact: found !== undefined };
  });
}

function coverageOf({ abstract }: StoredDocument): Coverage {
  return abstract.trim() === '' ? 'title' : 'title_and_abstract';
}
