/**
 * The version of an index, for clients that keep answers: as long as it stays the same, the index
 * gives the same answer to the same request. It changes with every write to the index, with the
 * program, with the encoder of queries, and with the settings that a ranking depends on.
 */
import { hash } from 'node:crypto';
import type { Encoder } from '../embed/model.ts';
import type { Connection } from '../store/database/connection.ts';
import { prepareReadIndexState } from '../store/index/index-facts.ts';
import { commit, version } from '../version.ts';
import type { SearchLimits } from './search-limits.ts';

const DIGITS = 16;

/** Returns a function that reads the version in the view that the connection sees: 16 hex digits. */
export function createIndexVersionReader(
  db: Connection,
  { sha256, termEmbeddings = '' }: Pick<Encoder, 'sha256' | 'termEmbeddings'>,
  limits: SearchLimits,
): () => string {
  const readState = prepareReadIndexState(db);
  const encoder = [sha256, termEmbeddings];
  const ranking = JSON.stringify([version, commit, ...encoder, rankingLimitsOf(limits)]);
  let state: string | undefined;
  let indexVersion = '';
  return () => {
    const current = readState();
    if (current !== state) indexVersion = hash('sha256', ranking + current).slice(0, DIGITS);
    state = current;
    return indexVersion;
  };
}

/** The limits that decide what is found. The others decide only how fast. */
function rankingLimitsOf(limits: SearchLimits): unknown[] {
  const { queryTermsMax, postingsMax, withheldShown, candidatesMax } = limits;
  const { denseCandidatesMax, denseUnprobedMax, denseScannedMax, exactScanMax } = limits;
  const { centroidsComparedMax } = limits;
  const { filteredPostingsMax, filteredDenseScannedMax, filteredExactMax } = limits;
  return [
    ...[queryTermsMax, postingsMax, withheldShown, candidatesMax],
    ...[denseCandidatesMax, denseUnprobedMax, denseScannedMax, exactScanMax],
    ...[filteredPostingsMax, filteredDenseScannedMax, filteredExactMax, centroidsComparedMax],
  ];
}
