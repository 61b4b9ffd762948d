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
  /** These words to insert, delete, or replace. */
  distance: number;
}

/** Comparisons of words. Only texts that repeat few words over and over need more. */
const COMPARISONS_MAX = 10_000_000;

/**
 * The nearest run; undefined if its share is below `shareMin`. If it takes more than `comparisonsMax`, only
 * the beginning of the source is looked at.
 */
export function alignWords(
  quoteWords: readonly string[],
  sourceWords: readonly string[],
  shareMin: number,
  comparisonsMax = COMPARISONS_MAX,
): Alignment | undefined {
  if (sourceWords.length < shareMin * quoteWords.length) return undefined;
  const wanted = shareMin * quoteWords.length;
  if (quoteWords.length === 0 || countShared(quoteWords, sourceWords) < wanted) return undefined;
  const { quote, source } = numberWords(quoteWords, sourceWords);
  const distanceMax = Math.ceil((quote.length * (1 - shareMin)) / shareMin);
  // For the first words of the quote, as many as the row says: the distance from a run that ends at the
  // column, and where that run starts.
  const distances = Uint32Array.from({ length: quote.length + 1 }, (_, row) => row);
  const starts = new Uint32Array(quote.length + 1);
  // Rows after the deepest one have a distance above the most, and so have all that follow from them
  // alone (E. Ukkonen, "Finding approximate patterns in strings", 1985).
  let deepest = Math.min(distanceMax, quote.length);
  let comparisons = 0;
  let best: Alignment | undefined;
  for (let end = 1; end <= source.length; end++) {
    const word = source[end - 1];
    const rows = Math.min(deepest + 1, quote.length);
    comparisons += rows;
    if (comparisons > comparisonsMax) break;
    let [diagonal, diagonalStart] = [0, end - 1];
    starts[0] = end;
    for (let row = 1; row <= rows; row++) {
      const replaced = diagonal + (quote[row - 1] === word ? 0 : 1);
      const deleted = (distances[row - 1] as number) + 1;
      const inserted = (distances[row] as number) + 1;
      diagonal = distances[row] as number;
      const start = diagonalStart;
      diagonalStart = starts[row] as number;
      if (replaced <= deleted && replaced <= inserted) {
        distances[row] = replaced;
        starts[row] = start;
      } else if (deleted <= inserted) {
        distances[row] = deleted;
        starts[row] = starts[row - 1] as number;
      } else distances[row] = inserted;
    }
    deepest = rows;
    while ((distances[deepest] as number) > distanceMax) deepest--;
    if (deepest < quote.length) continue;
    const run = { start: starts[deepest] as number, end, distance: distances[deepest] as number };
    best = better(best, run, quote.length);
  }
  return best !== undefined && best.share >= shareMin ? best : undefined;
}

function better(
  best: Alignment | undefined,
  { start, end, distance }: { start: number; end: number; distance: number },
  quoteWords: number,
): Alignment | undefined {
  const share = 1 - distance / Math.max(quoteWords, end - start);
  if (end === start) return best;
  // Of equal runs, the one as long as the quote: it shows what the last word should have been.
  const isCloser = best !== undefined && end - start <= quoteWords && share === best.share;
  return isCloser || share > (best?.share ?? 0) ? { start, end, share, distance } : best;
}

interface CountedWords {
  /** How often the words are there. */
  counts: ReadonlyMap<string, number>;
  /** A number for each word. */
  numbers: ReadonlyMap<string, number>;
}

/** A quote is compared with many sources, and a source with many quotes. */
const counted = new WeakMap<readonly string[], CountedWords>();

function countWords(words: readonly string[]): CountedWords {
  const known = counted.get(words);
  if (known !== undefined) return known;
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const numbers = new Map([...counts.keys()].map((word, at) => [word, at + 1]));
  const result = { counts, numbers };
  counted.set(words, result);
  return result;
}

/**
 * How many of the quote's words the source has, as often as it has them: a cheap upper bound of what any
 * alignment shares.
 */
export function countShared(quoteWords: readonly string[], sourceWords: readonly string[]): number {
  const inSource = countWords(sourceWords).counts;
  let shared = 0;
  for (const [word, count] of countWords(quoteWords).counts) {
    shared += Math.min(count, inSource.get(word) ?? 0);
  }
  return shared;
}

/** Numbers for the words, which are compared faster. Words that only the source has get 0. */
export function numberWords(
  quoteWords: readonly string[],
  sourceWords: readonly string[],
): { quote: Uint32Array; source: Uint32Array } {
  const { numbers } = countWords(quoteWords);
  const numberOf = (word: string): number => numbers.get(word) ?? 0;
  return {
    quote: Uint32Array.from(quoteWords, numberOf),
    source: Uint32Array.from(sourceWords, numberOf),
  };
}
