/** Which of the lanes' documents may be shown and learned. Pure. */

import { groupSamePapers, identityOf } from '../../search/same-paper.ts';
import type { LaneDocument } from '../lane/lane.ts';

/**
 * Without those that are withheld, and without the copies that other lanes have of a retracted
 * paper. A withdrawn preprint says nothing of the copies: the paper may be published by now. Each
 * of the others gets the identifiers of all its copies.
 */
export function dropWithheld(documents: readonly LaneDocument[]): LaneDocument[] {
  const groups = groupSamePapers(documents.map(identityOf));
  const copiesOf = (at: number): LaneDocument[] =>
    documents.filter((_, other) => groups[other] === groups[at]);
  return documents.flatMap((document, at) => {
    const copies = copiesOf(at);
    const isRetracted = copies.some(({ withheld }) => withheld === 'retracted');
    if (isRetracted || document.withheld !== undefined) return [];
    const known = copies
      .filter(({ withheld }) => withheld === undefined)
      .map(({ identifiers }) => identifiers);
    // Where two copies differ, its own counts.
    return [{ ...document, identifiers: Object.assign({}, ...known, document.identifiers) }];
  });
}
