/**
 * How much each feature of a sentence counts, by what the question asks for. The weights belong to a
 * model, whose cosines are among the features: models/training/ learns them, and the model's folder has
 * them as sentence-weights.json. Without it, those below hold.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, VerbatimError } from '../errors.ts';
import { type Encoder, SENTENCE_WEIGHTS_FILE } from '../text/embed/model.ts';
import { type QuestionKind, questionKinds, questionKindsOf } from './question-kind.ts';
import { type FeatureName, featureNames } from './sentence-features.ts';

/** A feature that is not there counts nothing. */
export type FeatureWeights = Readonly<Partial<Record<FeatureName, number>>>;

/** The parts of the log-odds that the chosen sentence answers: see answer-probability.ts. */
export interface ProbabilityWeights {
  bias: number;
  relevance: number;
  score: number;
  share: number;
  answer: number;
  coverage: number;
}

const probabilityNames: readonly (keyof ProbabilityWeights)[] = [
  ...(['bias', 'relevance', 'score', 'share', 'answer', 'coverage'] as const),
];

export interface SentenceWeights {
  /** For every query. */
  always: FeatureWeights;
  /** What each kind of question adds to them. */
  kinds: Readonly<Partial<Record<QuestionKind, FeatureWeights>>>;
  /** Absent if nobody measured how often the chosen sentences answer. */
  probability?: ProbabilityWeights;
}

/** For any encoder, tuned on SciFact's annotated evidence with all-MiniLM-L6-v2. */
export const topicalWeights: SentenceWeights = {
  always: {
    cosine: 1,
    coverage: 0.2,
    positionRoot: 0.15,
    length: 0.05,
    finding: 0.05,
    announcement: -0.2,
    background: -0.1,
  },
  kinds: {},
};

/** Returns the weights of an encoder. Throws `model_unusable` if its file is not what it should be. */
export function readSentenceWeights({
  folder = '',
  sentenceWeights,
}: Partial<Encoder>): SentenceWeights {
  if (sentenceWeights === undefined) return topicalWeights;
  try {
    return checked(JSON.parse(readFileSync(join(folder, SENTENCE_WEIGHTS_FILE), 'utf8')));
  } catch (error) {
    const reason = `cannot use ${SENTENCE_WEIGHTS_FILE} in ${folder}: ${messageOf(error)}`;
    throw new VerbatimError('model_unusable', reason, { cause: error });
  }
}

/** The sum of the weights for a query. */
export function weightsFor({ always, kinds }: SentenceWeights, query: string): FeatureWeights {
  const sum: Partial<Record<FeatureName, number>> = { ...always };
  for (const kind of questionKindsOf(query)) {
    for (const name of featureNames) {
      const added = kinds[kind]?.[name];
      if (added !== undefined) sum[name] = (sum[name] ?? 0) + added;
    }
  }
  return sum;
}

function checked(weights: SentenceWeights): SentenceWeights {
  const { always, kinds, probability } = weights;
  checkNumbers('always', always, featureNames);
  checkNumbers('probability', probability ?? {}, probabilityNames);
  for (const [kind, added] of Object.entries(kinds)) {
    if (!(questionKinds as readonly string[]).includes(kind))
      throw new Error(`unknown kind ${kind}`);
    checkNumbers(kind, added, featureNames);
  }
  return weights;
}

function checkNumbers(part: string, numbers: object, names: readonly string[]): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (!names.includes(name)) throw new Error(`${part}: unknown feature ${name}`);
    if (!Number.isFinite(value)) throw new Error(`${part}: ${name} is ${JSON.stringify(value)}`);
  }
}
