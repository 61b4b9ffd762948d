/** Finds the documents of the index that may have a quote, by its rarest words. */
import type { LexicalRetriever } from '../../store/index/lexical/lexical-retrieval.ts';
import type { TermStatistics } from '../../store/index/lexical/term-statistics.ts';
import { termOf } from '../../text/terms.ts';
import { queryWords } from '../../text/words.ts';
import type { DocumentNumber } from '../../types.ts';

/** Words of a quote that are looked up. */
const WORDS_MAX = 200;
/** Of these, the rarest ones. */
const RAREST = 12;
/** Documents that are compared with a quote. */
const DOCUMENTS_MAX = 20;

export interface QuoteSearchDeps {
  statisticsNow: () => TermStatistics;
  lexical: LexicalRetriever;
}

/** At most 20 documents, those with most of the quote's rare words first. */
export function findDocumentsWithWords(
  quote: string,
  { statisticsNow, lexical }: QuoteSearchDeps,
): DocumentNumber[] {
  const statistics = statisticsNow();
  const words = queryWords(quote, WORDS_MAX)
    .map((word) => {
      const term = termOf(word);
      const frequency = statistics.frequencyOf(term);
      const weight = Math.log(1 + statistics.documents / (frequency + 1));
      return { word, term, frequency, weight };
    })
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => a.frequency - b.frequency)
    .slice(0, RAREST);
  const { documents, weights } = lexical.retrieve(words);
  return [...documents.keys()]
    .sort((a, b) => (weights[b] as number) - (weights[a] as number) || a - b)
    .slice(0, DOCUMENTS_MAX)
    .map((at) => documents[at] as DocumentNumber);
}
