/**
 * Cross-validation by halves. On one half of the queries of each collection, the best variant is
 * chosen by the mean over the collections; it is measured on the other half, and the other way round.
 * Every query is thus measured with a variant that was chosen without it. Pure.
 */
import { meanOf } from '../measure/statistics.ts';

/** nDCG@10 of each query of a collection, for each variant: [variant][query]. */
type Scores = readonly (readonly number[])[];

interface HeldOut {
  /** The variant that was chosen on the even queries, and that on the odd ones. */
  chosen: [number, number];
  /** The mean of each collection over its queries, each with the variant of the other half. */
  means: number[];
}

/** All collections must have the same variants, and at least two queries. */
export function validateByHalves(collections: readonly Scores[]): HeldOut {
  const chosen: [number, number] = [bestVariant(collections, 0), bestVariant(collections, 1)];
  const means = collections.map((scores) => {
    const queries = scores[0]?.length ?? 0;
    return meanOf(
      Array.from({ length: queries }, (_, query) => {
        const variant = chosen[1 - (query % 2)] as number;
        return scores[variant]?.[query] as number;
      }),
    );
  });
  return { chosen, means };
}

/** The variant with the best mean over the collections on one half, the first of equals. */
function bestVariant(collections: readonly Scores[], half: number): number {
  const variants = collections[0]?.length ?? 0;
  const means = Array.from({ length: variants }, (_, variant) =>
    meanOf(
      collections.map((scores) =>
        meanOf((scores[variant] ?? []).filter((_, query) => query % 2 === half)),
      ),
    ),
  );
  return means.indexOf(Math.max(...means));
}
