/** Which records are of one paper, though they come from different sources. Pure. */
import { wordsOf } from '../text/words.ts';
import type { SourceDocument } from '../types.ts';

/** What a paper is known by. */
export interface PaperIdentity {
  doi: string | undefined;
  arxivId: string | undefined;
  /** Words of the title and the year; undefined for a title without words. */
  titleAndYear: string | undefined;
}

/** A record that may tell its DOI and arXiv id apart from its id. */
export type IdentifiedDocument = Pick<SourceDocument, 'id' | 'title' | 'year'> & {
  doi?: string | undefined;
  arxivId?: string | undefined;
};

const DOI = /^10\.\d{4,9}\/\S+$/;
/** arXiv gives each paper a DOI that says nothing but its id; others may know it by that alone. */
const DOI_OF_ARXIV = /^10\.48550\/arxiv\.(\S+)$/;
/** Ids of today, and those of before 2007 such as hep-ex/0307015; the version makes no other paper. */
const ARXIV_ID = /^(?:arxiv:)?(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?\/\d{7})(?:v\d+)?$/;

export function identityOf(document: IdentifiedDocument): PaperIdentity {
  const id = document.id.toLowerCase();
  const doi = document.doi?.toLowerCase() ?? (DOI.test(id) ? id : undefined);
  const arxivId =
    document.arxivId?.toLowerCase() ?? DOI_OF_ARXIV.exec(doi ?? '')?.[1] ?? ARXIV_ID.exec(id)?.[1];
  const words = wordsOf(document.title).join(' ');
  return {
    doi: doi !== undefined && DOI_OF_ARXIV.test(doi) ? undefined : doi,
    arxivId: arxivId?.replace(/v\d+$/, ''),
    titleAndYear: words === '' ? undefined : `${document.year} ${words}`,
  };
}

/**
 * For each of the papers the position of the first that is the same one: by DOI, by arXiv id, or by
 * title and year where neither says that they are two.
 */
export function groupSamePapers(papers: readonly PaperIdentity[]): number[] {
  const groups = papers.map((_, at) => at);
  const join = (a: number, b: number): void => {
    const [first, second] = [groups[a] as number, groups[b] as number];
    if (first === second) return;
    const [low, high] = [Math.min(first, second), Math.max(first, second)];
    for (const [at, group] of groups.entries()) if (group === high) groups[at] = low;
  };
  for (const key of ['doi', 'arxivId', 'titleAndYear'] as const) {
    for (const alike of positionsBy(papers, key)) {
      for (const [n, b] of alike.entries()) {
        const paper = papers[b] as PaperIdentity;
        const same = alike.slice(0, n).find((a) => !areTwo(papers[a] as PaperIdentity, paper));
        if (same !== undefined) join(same, b);
      }
    }
  }
  return groups;
}

/** Whether an id says that two papers with one title are two. */
function areTwo(one: PaperIdentity, other: PaperIdentity): boolean {
  const ids = [
    [one.doi, other.doi],
    [one.arxivId, other.arxivId],
  ].filter(([a, b]) => a !== undefined && b !== undefined);
  return ids.length > 0 && ids.every(([a, b]) => a !== b);
}

/** The positions of the papers that share a value, for each value that several share. */
function positionsBy(papers: readonly PaperIdentity[], key: keyof PaperIdentity): number[][] {
  const positions = new Map<string, number[]>();
  for (const [at, paper] of papers.entries()) {
    const value = paper[key];
    if (value === undefined) continue;
    const known = positions.get(value);
    if (known === undefined) positions.set(value, [at]);
    else known.push(at);
  }
  return [...positions.values()].filter(({ length }) => length > 1);
}
