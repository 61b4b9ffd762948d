/** Which documents of lanes are one paper, and how its published version is shown. Pure. */
import { haveConflictingIdentifiers } from '../../identity/linkage-rules.ts';
import { isPreprintDoi, isPreprintVenue } from '../../identity/record-precedence.ts';
import { groupSamePapers, identityOf } from '../../search/same-paper.ts';
import { haveSameTitle } from '../../search/versions.ts';
import type { LaneDocument } from '../lane/lane.ts';

/**
 * For each document, the position of the first one of its paper. A preprint and its published version
 * are one paper in any years, and so are copies without a year, unless identifiers contradict.
 */
export function groupLanePapers(documents: readonly LaneDocument[]): number[] {
  const groups: number[][] = [];
  for (const [at, document] of documents.entries()) {
    const group = groups.find(
      (others) =>
        others.some((other) => haveSameTitle(documents[other] as LaneDocument, document)) &&
        !haveConflictingIdentifiers(
          [...others, at].map((one) => (documents[one] as LaneDocument).identifiers),
        ),
    );
    if (group === undefined) groups.push([at]);
    else group.push(at);
  }
  const pairs = groups.flatMap(([first, ...others]) =>
    others.map((other): [number, number] => [first as number, other]),
  );
  return groupSamePapers(documents.map(identityOf), pairs);
}

/**
 * Shows a paper as it was published: a preprint is left out if a lane has the published version with
 * as much text. Otherwise it gets the DOI, the title, the year, the authors, and the venue of that.
 */
export function showPublished(documents: readonly LaneDocument[]): LaneDocument[] {
  const groups = groupLanePapers(documents);
  return documents.flatMap((document, at) => {
    if (isPublishedCopy(document)) return [document];
    const published = documents.find(
      (other, position) =>
        groups[position] === groups[at] &&
        isPublishedCopy(other) &&
        // What may not be stored must not be stored with what may be.
        (other.isStorable || !document.isStorable),
    );
    if (published === undefined) return [document];
    if (textRank(published) >= textRank(document)) return [];
    const { id, title, year, authors, venue, identifiers } = published;
    const doi = identifiers.doi as string;
    const shown = { id, title, year, authors, venue };
    return [{ ...document, ...shown, identifiers: { ...document.identifiers, doi } }];
  });
}

/** Whether this is the published version itself, and not a preprint that names its DOI. */
function isPublishedCopy({ lane, venue, identifiers: { doi } }: LaneDocument): boolean {
  return doi !== undefined && !isPreprintDoi(doi) && lane !== 'arxiv' && !isPreprintVenue(venue);
}

/** An abstract beats an excerpt, and an excerpt beats a title. */
export function textRank({ abstract, excerpt }: LaneDocument): number {
  if (abstract !== '') return 2;
  return excerpt === undefined ? 0 : 1;
}
