/**
 * Lexical retrieval: candidates by their words. FTS5's own ranking computes BM25 for every document
 * with any of the words. With a hundred thousand documents that takes longer than the rest of a
 * search. So retrieval walks the rarest words only, unranked and within a budget, and the search
 * scores those documents with all words afterwards, from the forward index. The budget bounds the
 * cost for any corpus.
 *
 * The postings tell which documents contain a word. FTS5 tells it for documents behind the
 * postings' watermark.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import { messageOf } from '../../errors.ts';
import type { Term } from '../../text/terms.ts';
import type { DocumentNumber } from '../../types.ts';
import { findItem, mergeSums, type Sums } from '../../vectors/merge-sums.ts';
import type { AllowedDocuments, FlaggedDocuments } from '../facets/allowed-documents.ts';
import { prepareReadLastDocument } from '../index-facts.ts';
import { createPostingsReader, prepareReadIndexedUpTo } from './postings.ts';

/** A word of the query. */
export interface WeightedWord {
  word: string;
  /** Its stem as a term. */
  term: Term;
  /** The approximate number of documents that contain it. */
  frequency: number;
  /** What it adds to the weight of a document that contains it. */
  weight: number;
}

export interface LexicalRetriever {
  /**
   * Finds documents with the rarest of the words, among the allowed documents if they are given.
   * Words are plain text without operators.
   */
  retrieve(words: readonly WeightedWord[], allowed?: FlaggedDocuments): WordMatches;
}

export interface LexicalLimits {
  /** Matches that a retrieval walks. */
  postingsMax: number;
  /** The same with a filter, which walks more because it leaves out some. Absent: not more. */
  filteredPostingsMax?: number;
}

export interface WordMatches {
  /** Ascending. */
  documents: Uint32Array;
  /** For each document the sum of the weights of the words that found it. */
  weights: Float64Array;
  /** Returns whether a document is among them. */
  isFound(document: DocumentNumber): boolean;
}

export function createLexicalRetriever(db: Connection, limits: LexicalLimits): LexicalRetriever {
  const readIndexedUpTo = prepareReadIndexedUpTo(db);
  const readPostings = createPostingsReader(db);
  const readLast = prepareReadLastDocument(db);
  const find = db
    .prepare('SELECT rowid FROM documents_text WHERE documents_text MATCH ? AND rowid > ? LIMIT ?')
    .pluck();
  const walkText = (word: string, after: DocumentNumber, most: number): DocumentNumber[] => {
    try {
      return find.all(`"${word.replaceAll('"', '""')}"`, after, most) as DocumentNumber[];
    } catch (error) {
      // FTS5 treats some letters of rare scripts as separators, and so reads the word as a phrase.
      // Its index has no such word, and without positions it cannot search phrases.
      if (messageOf(error).includes('phrase queries are not supported')) return [];
      throw error;
    }
  };
  return {
    retrieve(words, allowed) {
      const indexedUpTo = readIndexedUpTo();
      const isFullyIndexed = readLast() <= indexedUpTo;
      const walk = ({ word, term }: WeightedWord, most: number): Uint32Array => {
        const known = readPostings(term, indexedUpTo, most);
        if (isFullyIndexed || known.length === most) return known;
        // FTS5 takes a hundred times as long for each, so a filter does not make it read more.
        const laterMax = Math.min(most - known.length, limits.postingsMax);
        const later = walkText(word, indexedUpTo, laterMax);
        const all = new Uint32Array(known.length + later.length);
        all.set(known);
        all.set(later, known.length);
        return all;
      };
      const walks: Sums[] = [];
      const postingsMax = walkedMax(limits, allowed);
      let left = postingsMax;
      for (const one of [...words].sort(byRarity)) {
        const { frequency, weight } = one;
        // If the first word alone exceeds the budget, it is walked as far as the budget goes.
        if (frequency > left && left < postingsMax) break;
        const walked = walk(one, left);
        const documents = allowed === undefined ? walked : amongAllowed(walked, allowed);
        walks.push({ items: documents, values: new Float64Array(documents.length).fill(weight) });
        left -= walked.length;
        if (left <= 0) break;
      }
      return matchesOf(walks);
    },
  };
}

/** Adds up what was found by the words. */
export function matchesOf(walks: readonly Sums[]): WordMatches {
  const { items, values } = mergeSums(walks);
  return {
    documents: items,
    weights: values,
    isFound: (document) => findItem(items, document) >= 0,
  };
}

/** Matches to walk. With a filter, as many as leave `postingsMax` allowed ones, within the limit. */
export function walkedMax(
  { postingsMax, filteredPostingsMax = postingsMax }: LexicalLimits,
  allowed: AllowedDocuments | undefined,
): number {
  if (allowed === undefined) return postingsMax;
  const wanted = Math.ceil(postingsMax / allowed.share);
  return Math.max(postingsMax, Math.min(filteredPostingsMax, wanted));
}

function amongAllowed(documents: Uint32Array, { flags }: FlaggedDocuments): Uint32Array {
  // A loop takes a fraction of the time of the array's own `filter`.
  const kept = new Uint32Array(documents.length);
  let size = 0;
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at] as number;
    if (flags[document] === 1) kept[size++] = document;
  }
  return kept.subarray(0, size);
}

/** Orders words, the rarest first. */
export function byRarity(a: WeightedWord, b: WeightedWord): number {
  return a.frequency - b.frequency || (a.word < b.word ? -1 : 1);
}
