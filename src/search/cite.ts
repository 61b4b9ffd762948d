/** Turns ranked documents into citations: the best sentences of each, word for word. */
import type { Citation, SearchRequest, SentenceSpan } from '../types.ts';
import { chooseSentence, chooseSentences } from './choose-sentence.ts';
import type { CitableDocument, PaperFacts } from './citable-document.ts';
import type { DistinctPaper } from './deduplicate.ts';
import { shownScore } from './rank.ts';
import { extraFieldsOf, quotesOf } from './result-extras.ts';

/** A citation names only the first authors. */
const AUTHORS_CITED = 3;

/** What a request says about each result. */
export type CiteOptions = Pick<SearchRequest, 'withAbstract' | 'sentences' | 'include'>;

/**
 * One citation per paper, in their order. A document without an abstract is quoted by its title. `facts`
 * are those of the papers, if `needsFacts` says that the request needs them.
 */
export function cite(
  papers: readonly Pick<DistinctPaper, 'cited' | 'candidate' | 'score'>[],
  facts: readonly PaperFacts[],
  { withAbstract, sentences, include }: CiteOptions,
): Citation[] {
  return papers.map(({ cited: document, candidate, score }, at) => {
    const { spans } = document;
    const best = spans[chooseSentence(candidate, document)];
    const citation = toCitation(document, { score, best, withAbstract });
    if (sentences !== undefined) {
      const chosen = chooseSentences(candidate, document, sentences).map(
        (index) => spans[index] as SentenceSpan,
      );
      citation.sentences = quotesOf({ document, chosen });
    }
    if (include !== undefined) {
      Object.assign(citation, extraFieldsOf(include, { document, best, facts: facts[at] }));
    }
    return citation;
  });
}

interface CitedParts {
  score: number;
  best: SentenceSpan | undefined;
  withAbstract: boolean;
}

function toCitation(
  document: CitableDocument,
  { score, best, withAbstract }: CitedParts,
): Citation {
  return {
    d: document.id,
    t: document.title,
    y: document.year,
    a: document.authors.slice(0, AUTHORS_CITED),
    s: shownScore({ score }),
    q: best === undefined ? document.title : document.abstract.slice(best.start, best.end),
    ...(withAbstract ? { ab: document.ownAbstract ?? document.abstract } : {}),
    src: document.lane ?? 'corpus',
  };
}
