/**
 * Candidates by full text. FTS5's own ranking computes bm25 for every document that has any of the
 * words, which at a hundred thousand documents takes longer than all the rest of a search. So the
 * rarest words alone are walked, as far as a budget goes, unranked; their documents are scored
 * afterwards with all words, from the term vectors. The cost is a choice, whatever the corpus.
 *
 * Which documents have a word, the postings tell; FTS5 those that are not in the postings yet.
 */
import { messageOf } from '../../../errors.ts';
import type { Term } from '../../../text/terms.ts';
import type { DocumentNumber } from '../../../types.ts';
import { findItem, mergeSums, type Sums } from '../../../vectors/merge-sums.ts';
import type { Connection } from '../../database/connection.ts';
import { prepareReadLastDocument } from '../index-facts.ts';
import { createPostingsReader, prepareReadListed } from './postings.ts';

/** A word to look up. */
export interface WeightedWord {
  word: string;
  /** The term that it stands for. */
  term: Term;
  /** In about how many documents it occurs. */
  frequency: number;
  /** What finding it counts. */
  weight: number;
}

export interface LexicalRetriever {
  /** Finds documents with the rarest of the words. Words are text, nothing in them an operator. */
  retrieve(words: readonly WeightedWord[]): WordMatches;
}

export interface WordMatches {
  /** Ascending. */
  documents: Uint32Array;
  /** The sum of the weights of the words that each of them was found by. */
  weights: Float64Array;
  /** Whether a document is one of them. */
  isFound(document: DocumentNumber): boolean;
}

/** `postingsMax`: matches that one retrieval walks in all. */
export function createLexicalRetriever(
  db: Connection,
  { postingsMax }: { postingsMax: number },
): LexicalRetriever {
  const readListed = prepareReadListed(db);
  const readPostings = createPostingsReader(db);
  const readLast = prepareReadLastDocument(db);
  const find = db
    .prepare('SELECT rowid FROM documents_text WHERE documents_text MATCH ? AND rowid > ? LIMIT ?')
    .pluck();
  const walkText = (word: string, listed: DocumentNumber, most: number): DocumentNumber[] => {
    try {
      return find.all(`"${word.replaceAll('"', '""')}"`, listed, most) as DocumentNumber[];
    } catch (error) {
      // FTS5 takes some letters of rare scripts for separators. What it reads as several words is
      // no word of its index, and it keeps no places to look for them side by side.
      if (messageOf(error).includes('phrase queries are not supported')) return [];
      throw error;
    }
  };
  return {
    retrieve(words) {
      const listed = readListed();
      const isAllListed = readLast() <= listed;
      const walk = ({ word, term }: WeightedWord, most: number): Uint32Array => {
        const known = readPostings(term, listed, most);
        if (isAllListed || known.length === most) return known;
        const later = walkText(word, listed, most - known.length);
        const all = new Uint32Array(known.length + later.length);
        all.set(known);
        all.set(later, known.length);
        return all;
      };
      const walks: Sums[] = [];
      let left = postingsMax;
      for (const one of [...words].sort(byRarity)) {
        const { frequency, weight } = one;
        // A first word that is too common by itself is walked as far as the budget goes.
        if (frequency > left && left < postingsMax) break;
        const documents = walk(one, left);
        walks.push({ items: documents, values: new Float64Array(documents.length).fill(weight) });
        left -= documents.length;
        if (left <= 0) break;
      }
      const { items, values } = mergeSums(walks);
      return {
        documents: items,
        weights: values,
        isFound: (document) => findItem(items, document) >= 0,
      };
    },
  };
}

function byRarity(a: WeightedWord, b: WeightedWord): number {
  return a.frequency - b.frequency || (a.word < b.word ? -1 : 1);
}
