/** The formulas in src/search/README.md have the numbers of the code. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bm25Parameters } from '../../src/search/candidates.ts';
import { EXACT_MATCH } from '../../src/search/late-interaction.ts';
import { LEXICAL_WEIGHT, MARGIN } from '../../src/search/prune-candidates.ts';
import * as feedback from '../../src/search/pseudo-relevance-feedback.ts';
import { factWeights, INTERACTION_DOCUMENTS, weights } from '../../src/search/rank.ts';
import { COVERAGE_WEIGHT } from '../../src/search/score-units.ts';
import { topicalWeights } from '../../src/search/sentence-weights.ts';
import * as smoothing from '../../src/search/smooth-scores.ts';
import { IDF_EXPONENT } from '../../src/search/weight-query.ts';
import { settingsTable } from '../../src/settings/config.ts';
import { searchSettings as limits } from '../../src/settings/search-settings.ts';

const readme = readFileSync(resolve(import.meta.dirname, '../../src/search/README.md'), 'utf8');
const first = weights.bm25 + weights.document + weights.unit;
const reranked = first + weights.feedbackVector + weights.feedbackTerms + weights.answer;
const { cosine, ...topical } = topicalWeights.always;

const numbers: [section: string, constants: number[]][] = [
  ['BM25', [bm25Parameters.k1, bm25Parameters.b, IDF_EXPONENT]],
  ['Pruning', [LEXICAL_WEIGHT, MARGIN, limits.denseUnprobedMax.value]],
  ['First-stage score', [COVERAGE_WEIGHT, weights.bm25, weights.document, weights.unit, first]],
  ['Rerank', [feedback.FEEDBACK_DOCUMENTS, feedback.STEEPNESS, feedback.bm25Parameters.k1]],
  ['Rerank', [weights.feedbackVector, weights.feedbackTerms, weights.answer, reranked]],
  ['Score smoothing', [smoothing.SMOOTHED_DOCUMENTS, smoothing.NEIGHBORS]],
  ['Score smoothing', [smoothing.NEIGHBOR_WEIGHT, 1 - smoothing.NEIGHBOR_WEIGHT]],
  ['Late interaction', [INTERACTION_DOCUMENTS, EXACT_MATCH, weights.interaction]],
  ['A question for a fact', [factWeights.answer, factWeights.interaction]],
  ['Better answer first', [weights.topAnswer, weights.topShare]],
  ['The sentence', Object.values(topical)],
  ['The life of a search', [limits.queryTermsMax.value, limits.denseCandidatesMax.value]],
  ['The life of a search', [limits.candidatesMax.value]],
  ['The threshold', [settingsTable.laneConfidence.value]],
];

describe('src/search/README.md', () => {
  it.each(numbers)('has the numbers of "%s": %j', (section, constants) => {
    const [, text = ''] = readme.split(new RegExp(`^#+ ${section}$`, 'm'));
    const [own = ''] = text.split(/^#+ /m);
    const found = (own.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
    const rounded = constants.map((constant) => Number(constant.toFixed(6)));
    expect(found).toEqual(expect.arrayContaining(rounded));
  });
});
