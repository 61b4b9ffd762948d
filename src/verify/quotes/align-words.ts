/**
 * Finds the contiguous run of a source that is nearest to a quote: approximate string matching over
 * words (P. Sellers, "The theory and computation of evolutionary distances", 1980). Pure.
 */

export interface Alignment {
  /** The run of the source's words; the end is exclusive. */
  start: number;
  end: number;
  /** 1 - words to insert, delete, or replace / words of the longer one of quote and run. */
  share: number;
}

/** The nearest run; undefined if its share is below `shareMin`. */
export function alignWords(
  quote: readonly string[],
  source: readonly string[],
  shareMin: number,
): Alignment | undefined {
  if (quote.length === 0 || countShared(quote, source) < shareMin * quote.length) return undefined;
  // For each end of a run in the source: the distance, and where the run starts.
  let distances = new Uint32Array(source.length + 1);
  let starts = Uint32Array.from(distances.keys());
  for (const [row, word] of quote.entries()) {
    const nextDistances = new Uint32Array(source.length + 1);
    const nextStarts = new Uint32Array(source.length + 1);
    nextDistances[0] = row + 1;
    for (let at = 1; at <= source.length; at++) {
      const replaced = (distances[at - 1] as number) + (source[at - 1] === word ? 0 : 1);
      const deleted = (distances[at] as number) + 1;
      const inserted = (nextDistances[at - 1] as number) + 1;
      const least = Math.min(replaced, deleted, inserted);
      nextDistances[at] = least;
      nextStarts[at] =
        least === replaced
          ? (starts[at - 1] as number)
          : least === deleted
            ? (starts[at] as number)
            : (nextStarts[at - 1] as number);
    }
    distances = nextDistances;
    starts = nextStarts;
  }
  return bestRun(quote.length, distances, starts, shareMin);
}

function bestRun(
  quoteWords: number,
  distances: Uint32Array,
  starts: Uint32Array,
  shareMin: number,
): Alignment | undefined {
  let best: Alignment | undefined;
  for (const [end, distance] of distances.entries()) {
    const start = starts[end] as number;
    const share = 1 - distance / Math.max(quoteWords, end - start);
    if (end === start || share < shareMin) continue;
    // Of equal runs, the one as long as the quote: it shows what the last word should have been.
    const isCloser = best !== undefined && end - start <= quoteWords && share === best.share;
    if (isCloser || share > (best?.share ?? 0)) best = { start, end, share };
  }
  return best;
}

/** The number of the quote's words that the source has, as often as it has them: a cheap upper bound. */
function countShared(quote: readonly string[], source: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of source) left.set(word, (left.get(word) ?? 0) + 1);
  return quote.filter((word) => {
    const count = left.get(word) ?? 0;
    if (count > 0) left.set(word, count - 1);
    return count > 0;
  }).length;
}
