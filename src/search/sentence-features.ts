/** What tells which sentence of a document answers a query: the features of choose-sentence.ts. Pure. */
import { FIRST_SENTENCE } from '../index/dense/embeddings.ts';
import type { SentenceSpan } from '../types.ts';
import type { Candidate } from './candidates.ts';
import { type RhetoricalRole, rhetoricalRole } from './rhetorical-role.ts';
import { sentenceCoverage } from './score-units.ts';

/** Numbers of a sentence beyond which more make no difference. */
const NUMBERS_MAX = 4;

/** What the features are read from. */
export interface ScoredDocument {
  candidate: Pick<Candidate, 'cosines' | 'answerCosines' | 'matches'>;
  abstract: string;
  spans: readonly SentenceSpan[];
}

type Feature = (document: ScoredDocument, sentence: number) => number;

const features = {
  /** The cosine with the vector of an answer; 0 if the model gives none. */
  answer: ({ candidate }, sentence) => candidate.answerCosines?.[FIRST_SENTENCE + sentence] ?? 0,
  /** The cosine with the query. */
  cosine: ({ candidate }, sentence) => candidate.cosines[FIRST_SENTENCE + sentence] ?? 0,
  /** The weighted share of the query's terms that occur in it. */
  coverage: ({ candidate }, sentence) => sentenceCoverage(candidate, sentence),
  /** From 0 for the first to 1 for the last: abstracts state questions first and findings last. */
  position,
  positionRoot: (document, sentence) => Math.sqrt(position(document, sentence)),
  /** The logarithm of its characters: a sentence of a few words reaches a high cosine too easily. */
  length: ({ spans }, sentence) => {
    const { start, end } = spans[sentence] as SentenceSpan;
    return Math.log(end - start);
  },
  numbers: (document, sentence) =>
    Math.min(NUMBERS_MAX, textOf(document, sentence).match(/\d+(?:\.\d+)?/g)?.length ?? 0),
  /** "We show that …", "In this paper, we …", "Despite recent progress, …": 1 or 0. */
  finding: hasRole('finding'),
  announcement: hasRole('announcement'),
  background: hasRole('background'),
} satisfies Readonly<Record<string, Feature>>;

export type FeatureName = keyof typeof features;

export const featureNames = Object.keys(features) as readonly FeatureName[];

export function featureOf(name: FeatureName, document: ScoredDocument, sentence: number): number {
  return features[name](document, sentence);
}

function position({ spans }: ScoredDocument, sentence: number): number {
  return sentence / Math.max(1, spans.length - 1);
}

function hasRole(role: RhetoricalRole): Feature {
  return (document, sentence) => Number(rhetoricalRole(textOf(document, sentence)) === role);
}

function textOf({ abstract, spans }: ScoredDocument, sentence: number): string {
  const { start, end } = spans[sentence] as SentenceSpan;
  return abstract.slice(start, end);
}
