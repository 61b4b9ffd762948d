/** Turns ranked documents into citations: the best sentences of each, word for word. */
import type { Citation, SearchRequest, SentenceSpan } from '../types.ts';
import { answerProbability, probabilityFeatures } from './answer-probability.ts';
import { rankSentences } from './choose-sentence.ts';
import type { CitableDocument, PaperFacts } from './citable-document.ts';
import type { DistinctPaper } from './deduplicate.ts';
import { shownScore } from './rank.ts';
import { extraFieldsOf, quotesOf } from './result-extras.ts';
import { type SentenceWeights, weightsFor } from './sentence-weights.ts';

/** A citation names only the first authors. */
export const AUTHORS_CITED = 3;

/** What a request says about each result. */
export type CiteOptions = Pick<
  SearchRequest,
  'withAbstract' | 'sentences' | 'include' | 'minAnswer'
>;

/** By what sentences are chosen. */
export interface Choosing {
  /** Empty for papers that are similar to one. */
  query: string;
  weights: SentenceWeights;
}

/**
 * One citation per paper, in their order, without those that `minAnswer` leaves out. A document without
 * an abstract is quoted by its title. `facts` are those of the papers, if `needsFacts` says that the
 * request needs them.
 */
export function cite(
  papers: readonly Pick<DistinctPaper, 'cited' | 'candidate' | 'score'>[],
  facts: readonly PaperFacts[],
  { withAbstract, sentences, include, minAnswer = 0 }: CiteOptions,
  { query, weights }: Choosing,
): Citation[] {
  const featureWeights = weightsFor(weights, query);
  return papers.flatMap(({ cited: document, candidate, score }, at) => {
    const { abstract, spans } = document;
    const scored = { candidate, abstract, spans };
    const ranked = rankSentences(scored, featureWeights);
    const chosen = ranked.map(({ index }) => spans[index] as SentenceSpan);
    const [best] = chosen;
    const answers =
      best && weights.probability
        ? round(answerProbability(probabilityFeatures(scored, ranked, score), weights.probability))
        : undefined;
    if ((answers ?? 0) < minAnswer) return [];
    const citation = toCitation(document, { score, best, withAbstract });
    if (sentences !== undefined) {
      citation.sentences = quotesOf({ document, chosen: chosen.slice(0, sentences) });
    }
    if (include !== undefined) {
      const known = { document, best, answers, facts: facts[at] };
      Object.assign(citation, extraFieldsOf(include, known));
    }
    return [citation];
  });
}

function round(probability: number): number {
  return Math.round(probability * 100) / 100;
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
