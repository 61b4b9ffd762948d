/** Finds the documents of the index that may have a quote, by its rarest words. */
import type { IndexView } from '../../index/ports/index-source.ts';
import { isWorded, languageOf } from '../../text/language.ts';
import { queryWords } from '../../text/query-words.ts';
import { lookUpsOf, termOf } from '../../text/terms.ts';
import type { DocumentNumber } from '../../types.ts';
import { keepBest } from '../../vectors/keep-best.ts';

/** Words of a quote that are looked up. */
const WORDS_MAX = 200;
/** Of these, the rarest ones. */
const RAREST = 12;
/** Documents that are compared with a quote. */
const DOCUMENTS_MAX = 20;

/** At most 20 documents, those with most of the quote's rare words first. */
export async function findDocumentsWithWords(
  quote: string,
  view: IndexView,
): Promise<DocumentNumber[]> {
  const language = languageOf(quote);
  const quoted = queryWords(quote, WORDS_MAX, language).flatMap((word) =>
    language === 'en' ? { word, term: termOf(word) } : lookUpsOf(word, !isWorded(language)),
  );
  const statistics = await view.statistics(quoted.map(({ term }) => term));
  const words = quoted
    .map(({ word, term }) => {
      const frequency = statistics.frequencyOf(term);
      const weight = Math.log(1 + statistics.documents / (frequency + 1));
      return { word, term, frequency, weight };
    })
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => a.frequency - b.frequency)
    .slice(0, RAREST);
  const { documents, weights } = await view.matchWords(words);
  const best = keepBest(DOCUMENTS_MAX);
  for (let at = 0; at < documents.length; at++) best.add(at, weights[at] as number);
  return best.items().map(({ item }) => documents[item] as DocumentNumber);
}
