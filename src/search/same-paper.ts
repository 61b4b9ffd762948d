/** Groups documents of different sources that are the same paper. Pure. */

import { identifiersInId, schemes } from '../identity/identifiers.ts';
import { haveConflictingIdentifiers } from '../identity/linkage-rules.ts';
import { wordsOf } from '../text/words.ts';
import type { Identifiers, SourceDocument } from '../types.ts';

/** The keys by which a paper is matched. */
export interface PaperIdentity {
  identifiers: Identifiers;
  /** The year and the words of the title. Undefined if the title has no words. */
  titleAndYear: string | undefined;
}

/** A document that may have more identifiers than its id. */
export type IdentifiedDocument = Pick<SourceDocument, 'id' | 'title' | 'year'> & {
  identifiers?: Identifiers;
};

export function identityOf({ id, title, year, identifiers }: IdentifiedDocument): PaperIdentity {
  const words = wordsOf(title).join(' ');
  return {
    identifiers: { ...identifiersInId(id), ...identifiers },
    titleAndYear: words === '' ? undefined : `${year} ${words}`,
  };
}

/**
 * For each paper, the position of the first paper in its group. Papers are the same if they share an
 * identifier, or title and year without conflicting identifiers. `known` has pairs of positions that
 * are the same paper anyway.
 */
export function groupSamePapers(
  papers: readonly PaperIdentity[],
  known: readonly (readonly [number, number])[] = [],
): number[] {
  const groups = papers.map((_, at) => at);
  const join = (a: number, b: number): void => {
    const [first, second] = [groups[a] as number, groups[b] as number];
    if (first === second) return;
    const [low, high] = [Math.min(first, second), Math.max(first, second)];
    for (const [at, group] of groups.entries()) if (group === high) groups[at] = low;
  };
  for (const [one, other] of known) join(one, other);
  for (const scheme of schemes) {
    for (const [first, ...others] of positionsBy(papers, (paper) => paper.identifiers[scheme])) {
      for (const other of others) join(first as number, other);
    }
  }
  const areInConflict = (a: number, b: number): boolean =>
    haveConflictingIdentifiers([a, b].map((at) => (papers[at] as PaperIdentity).identifiers));
  for (const alike of positionsBy(papers, ({ titleAndYear }) => titleAndYear)) {
    for (const [n, b] of alike.entries()) {
      const same = alike.slice(0, n).find((a) => !areInConflict(a, b));
      if (same !== undefined) join(same, b);
    }
  }
  return groups;
}

/** The positions of the papers with a value, for each value that several papers share. */
function positionsBy(
  papers: readonly PaperIdentity[],
  read: (paper: PaperIdentity) => string | undefined,
): number[][] {
  const positions = new Map<string, number[]>();
  for (const [at, paper] of papers.entries()) {
    const value = read(paper);
    if (value === undefined) continue;
    const known = positions.get(value);
    if (known === undefined) positions.set(value, [at]);
    else known.push(at);
  }
  return [...positions.values()].filter(({ length }) => length > 1);
}
