/**
 * The results of a search, each paper once: an index may have two records of which nothing proves
 * that they are one paper, and a reader sees the same text twice.
 */
import type { DocumentNumber } from '../types.ts';
import type { CitableDocument, CitableReader } from './cite.ts';
import { shownScore } from './rank.ts';
import type { Ranked } from './ranked.ts';
import { areVersions, isBetterVersion, type Version, versionOf } from './versions.ts';

export interface Selected {
  /** As many as were asked for, where there are so many papers. */
  ranked: Ranked[];
  /** Reads these without reading them again. */
  documents: CitableReader;
}

/**
 * The first papers of a ranking, of each the version that is ranked highest; see `isBetterVersion`
 * for those with one score. Only documents that could be returned are read and compared. The
 * papers for a lower limit are the first of those for a higher one.
 */
export function selectPapers(
  ranked: readonly Ranked[],
  reader: CitableReader,
  limit: number,
): Selected {
  const read = new Map<DocumentNumber, CitableDocument>();
  const papers: Version[] = [];
  for (const one of ranked) {
    const last = papers.at(-1)?.ranked;
    const isBehind = last === undefined || shownScore(one) !== shownScore(last);
    if (papers.length >= limit && isBehind) break;
    const document = reader.read(one.document);
    read.set(one.document, document);
    const version = versionOf(one, document);
    const at = papers.findIndex((paper) => areVersions(paper, version));
    if (at === -1) papers.push(version);
    else if (isBetterVersion(version, papers[at] as Version)) papers[at] = version;
  }
  return {
    ranked: papers.slice(0, limit).map((paper) => paper.ranked),
    documents: { read: (number) => read.get(number) ?? reader.read(number) },
  };
}
