/** Which records are of one paper, though they come from different sources. Pure. */

import { identifiersInId, schemes } from '../identity/identifiers.ts';
import { areIdentifiersDistinct } from '../identity/one-paper.ts';
import { wordsOf } from '../text/words.ts';
import type { Identifiers, SourceDocument } from '../types.ts';

/** What a paper is known by. */
export interface PaperIdentity {
  identifiers: Identifiers;
  /** Words of the title and the year; undefined for a title without words. */
  titleAndYear: string | undefined;
}

/** A record that may be known by more than its id. */
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
 * For each of the papers the position of the first that is the same one: by an identifier, or by
 * title and year where no identifiers say that they are two. `known`: positions of two of which it
 * is known already.
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
  const areTwo = (a: number, b: number): boolean =>
    areIdentifiersDistinct([a, b].map((at) => (papers[at] as PaperIdentity).identifiers));
  for (const alike of positionsBy(papers, ({ titleAndYear }) => titleAndYear)) {
    for (const [n, b] of alike.entries()) {
      const same = alike.slice(0, n).find((a) => !areTwo(a, b));
      if (same !== undefined) join(same, b);
    }
  }
  return groups;
}

/** The positions of the papers that share a value, for each value that several share. */
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
