/**
 * Removes duplicate papers from the results of a search. The index keeps two records apart where
 * nothing proves that they are one paper, but a reader would see the same text twice.
 */
import type { DocumentNumber } from '../types.ts';
import type { CitableDocument, CitableReader } from './citable-document.ts';
import { shownScore } from './rank.ts';
import type { Ranked } from './ranked.ts';
import { areVersions, isBetterVersion, type Version, type Wording, wordingOf } from './versions.ts';

export interface DistinctPapers {
  /** `limit` papers, or all if there are fewer. */
  ranked: Ranked[];
  /** Reads these documents from memory. */
  documents: CitableReader;
}

/**
 * The top papers of a ranking, each as its highest-ranked version. Between versions with the same
 * shown score, `isBetterVersion` decides. Only documents that could be returned are read and
 * compared. The papers for a lower limit are a prefix of those for a higher one. Versions of
 * `known` are left out.
 */
export function selectDistinctPapers(
  ranked: readonly Ranked[],
  reader: CitableReader,
  limit: number,
  known?: Wording,
): DistinctPapers {
  const read = new Map<DocumentNumber, CitableDocument>();
  const papers: Version[] = [];
  for (const one of ranked) {
    const last = papers.at(-1)?.ranked;
    const isLower = last === undefined || shownScore(one) !== shownScore(last);
    if (papers.length >= limit && isLower) break;
    const document = reader.read(one.document);
    read.set(one.document, document);
    const version = { ranked: one, ...wordingOf(document) };
    if (known !== undefined && areVersions(known, version)) continue;
    const at = papers.findIndex((paper) => areVersions(paper, version));
    if (at === -1) papers.push(version);
    else if (isBetterVersion(version, papers[at] as Version)) papers[at] = version;
  }
  return {
    ranked: papers.slice(0, limit).map((paper) => paper.ranked),
    documents: {
      read: (number) => read.get(number) ?? reader.read(number),
      factsOf: (number) => reader.factsOf(number),
    },
  };
}
