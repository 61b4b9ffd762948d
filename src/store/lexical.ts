/**
 * Full-text retrieval with FTS5's bm25. It takes words, never a query: each is quoted, so that
 * nothing a customer types can be an operator.
 */
import type { Ranking } from '../types.ts';
import type { Store } from './open.ts';

/** The weight of the title's words against the abstract's. Measured on SciFact: 2 beats 1 and 4. */
const TITLE_WEIGHT = 2;

export interface LexicalRetriever {
  /** Documents with any of the words, best bm25 first; empty where there are no words. */
  retrieve(words: readonly string[], limit: number): Ranking;
}

export function createLexicalRetriever(db: Store): LexicalRetriever {
  const match = db.prepare(
    `SELECT rowid AS document, -rank AS score FROM documents_text
     WHERE documents_text MATCH ? AND rank MATCH 'bm25(${TITLE_WEIGHT}, 1.0)'
     ORDER BY rank, rowid LIMIT ?`,
  );
  return {
    retrieve(words, limit) {
      if (words.length === 0) return [];
      const anyWord = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' OR ');
      return match.all(anyWord, limit) as Ranking;
    },
  };
}
