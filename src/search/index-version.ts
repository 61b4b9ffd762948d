/**
 * The version of an index, for clients that keep answers: as long as it stays the same, the index
 * gives the same answer to the same request. It changes with every write to the index, with the
 * program, with the encoder of queries, and with the settings that a ranking depends on.
 */
import { hash } from 'node:crypto';
import { commit, version } from '../settings/version.ts';
import type { Encoder } from '../text/embed/model.ts';
import type { SearchLimits } from './search-limits.ts';

const DIGITS = 16;

/** Returns the version in a state of an index, as a view names it: 16 hex digits. */
export type IndexVersionOf = (state: string) => string;

export function createIndexVersion(
  {
    sha256,
    termEmbeddings = '',
    answers = '',
    sentenceWeights = '',
    reranker = '',
  }: Pick<Encoder, 'sha256' | 'termEmbeddings' | 'answers' | 'sentenceWeights'> & {
    reranker?: string | undefined;
  },
  limits: SearchLimits,
): IndexVersionOf {
  const files = [sha256, termEmbeddings, answers, sentenceWeights, reranker];
  const ranking = JSON.stringify([version, commit, ...files, rankingLimitsOf(limits)]);
  let last: string | undefined;
  let indexVersion = '';
  return (state) => {
    if (state !== last) indexVersion = hash('sha256', ranking + state).slice(0, DIGITS);
    last = state;
    return indexVersion;
  };
}

/** The limits that decide what is found. The others decide only how fast. */
function rankingLimitsOf(limits: SearchLimits): unknown[] {
  const { queryTermsMax, postingsMax, withheldShown, candidatesMax } = limits;
  const { denseCandidatesMax, denseUnprobedMax, denseScannedMax, exactScanMax } = limits;
  const { centroidsComparedMax, hnswSearched } = limits;
  const { filteredPostingsMax, filteredDenseScannedMax, filteredExactMax } = limits;
  return [
    ...[queryTermsMax, postingsMax, withheldShown, candidatesMax],
    ...[denseCandidatesMax, denseUnprobedMax, denseScannedMax, exactScanMax],
    ...[filteredPostingsMax, filteredDenseScannedMax, filteredExactMax, centroidsComparedMax],
    hnswSearched,
  ];
}
