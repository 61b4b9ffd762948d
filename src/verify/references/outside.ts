/** Compares a reference with records that lanes found, as with those of the index. */
import type { KeptRecord } from '../../identity/kept-record.ts';
import { type MergedDocument, mergeRecords } from '../../identity/merge-records.ts';
import { groupSamePapers, identityOf } from '../../search/same-paper.ts';
import type { LaneName } from '../../settings/lane-choice.ts';
import type { LaneAnswers } from '../../types.ts';
import type { ReferenceDeps } from './judge-readings.ts';
import type { ReferenceResult } from './verify-reference.ts';

/** A reference that was looked up outside the index. */
export interface LookedUpReference {
  /** Its place in the request. */
  at: number;
  answers: LaneAnswers;
  records: readonly { lane: LaneName; record: KeptRecord }[];
}

/** Adds the records to those of the index. */
export function withRecords(deps: ReferenceDeps, { records }: LookedUpReference): ReferenceDeps {
  const merged = mergePapers(records.map(({ record }) => record));
  return {
    ...deps,
    ofDocuments: async (numbers) => [...(await deps.ofDocuments(numbers)), ...merged],
  };
}

/** Says in a result where the work was found, and what each lane said. */
export function withSource(
  result: ReferenceResult,
  { answers, records }: LookedUpReference,
): ReferenceResult {
  const source = records.find(({ record }) => record.id === result.d);
  return { ...result, ...(source && { src: source.lane }), lanes: answers };
}

/** Merges the records of each paper. A record without a title is a notice about one. */
function mergePapers(records: readonly KeptRecord[]): MergedDocument[] {
  const groups = groupSamePapers(records.map(identityOf));
  return [...new Set(groups)].flatMap((group) => {
    const own = records
      .filter((_, at) => groups[at] === group)
      .map((record): KeptRecord => (record.title === '' ? { ...record, part: 'notice' } : record));
    return own.some(({ part }) => part === 'record') ? [mergeRecords(own)] : [];
  });
}
