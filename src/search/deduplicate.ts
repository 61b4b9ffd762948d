/**
 * Removes duplicate papers from the results of a search. The index keeps two records apart where
 * nothing proves that they are one paper, but a reader would see the same text twice.
 */
import type { DocumentNumber } from '../types.ts';
import type { CitableDocument, CitableReader } from './citable-document.ts';
import { shownScore } from './rank.ts';
import type { Ranked } from './ranked.ts';
import { areVersions, isBetterVersion, type Version, type Wording, wordingOf } from './versions.ts';

/** A ranked paper with its document. */
export interface DistinctPaper extends Ranked {
  cited: CitableDocument;
}

export interface SelectionOptions {
  /** The number of papers wanted. */
  limit: number;
  /** A paper whose versions are left out. */
  known?: Wording | undefined;
}

/**
 * Selects the top papers of a ranking: `limit`, or all if there are fewer. It says which documents it
 * needs next, and takes them. Pure.
 */
interface Selection {
  /** The documents that are certain to be compared, in their order; none when the selection is done. */
  wanted(): DocumentNumber[];
  /** Takes the documents that `wanted` returned. The next ones take the place of damaged ones. */
  take(documents: readonly (CitableDocument | undefined)[]): void;
  papers(): DistinctPaper[];
}

/**
 * The top papers of a ranking, each as its highest-ranked version. Between versions with the same
 * shown score, `isBetterVersion` decides. Only documents that could be returned are read and
 * compared. The papers for a lower limit are a prefix of those for a higher one.
 */
export async function selectDistinctPapers(
  ranked: readonly Ranked[],
  reader: Pick<CitableReader, 'read'>,
  options: SelectionOptions,
): Promise<DistinctPaper[]> {
  const selection = startSelection(ranked, options);
  for (;;) {
    const wanted = selection.wanted();
    if (wanted.length === 0) return selection.papers();
    selection.take(await reader.read(wanted));
  }
}

function startSelection(ranked: readonly Ranked[], { limit, known }: SelectionOptions): Selection {
  const papers: Version[] = [];
  let taken = 0;
  const add = (one: Ranked, document: CitableDocument): void => {
    const version = { ranked: one, ...wordingOf(document) };
    if (known !== undefined && areVersions(known, version)) return;
    const at = papers.findIndex((paper) => areVersions(paper, version));
    if (at === -1) papers.push(version);
    else if (isBetterVersion(version, papers[at] as Version)) papers[at] = version;
  };
  return {
    wanted() {
      const missing = limit - papers.length;
      const rest = ranked.slice(taken, missing > 0 ? taken + missing : undefined);
      const last = papers.at(-1)?.ranked;
      // When all papers are there, only a document with the last one's shown score can be better.
      const some =
        missing > 0 ? rest : rest.slice(0, last === undefined ? 0 : countOfScore(rest, last));
      return some.map(({ document }) => document);
    },
    take(documents) {
      for (const document of documents) {
        const one = ranked[taken++] as Ranked;
        if (document !== undefined) add(one, document);
      }
    },
    papers: () =>
      papers.slice(0, limit).map((paper) => ({ ...paper.ranked, cited: paper.document })),
  };
}

/** How many at the beginning have the same shown score as this one. */
function countOfScore(ranked: readonly Ranked[], one: Ranked): number {
  const score = shownScore(one);
  const end = ranked.findIndex((other) => shownScore(other) !== score);
  return end === -1 ? ranked.length : end;
}
