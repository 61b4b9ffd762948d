/** Finds the runs of a source that a quote was put together from. Pure. */
import { alignPieces, leastCost, type Piece } from './align-pieces.ts';
import { type DescribedWord, describeWords } from './described-word.ts';
import { NEAR_SHARE_MIN, type NearMatch, type PreparedQuote, type Source } from './match-quote.ts';
import { changesOf } from './name-changes.ts';
import { nearMatch, textsOf, withMarks, wordsOf } from './near-match.ts';
import { ELLIPSIS_TOKEN, type Token } from './quote-tokens.ts';
import { compareWords, type WordStep } from './word-diff.ts';

/**
 * Finds the runs of a source that a quote was put together from; undefined if there are none with enough
 * of its words, or their distance is not below `below`. Where runs follow each other in the source, what is between them was left out.
 */
export function findPieced(
  quote: PreparedQuote,
  source: Source,
  below = Number.POSITIVE_INFINITY,
): NearMatch | undefined {
  const own = quote.words;
  const marks = marksIn(own.tokens);
  if (leastCost(marks) >= below) return undefined;
  const { tokens, texts, places } = wordsOf(quote, source);
  const aligned = alignPieces(own.texts, texts, { shareMin: NEAR_SHARE_MIN, marks });
  if (aligned === undefined || aligned.cost >= below) return undefined;
  const pieces = aligned.pieces.map(({ quoteStart, quoteEnd, start, end, same }) => ({
    same,
    quoteStart: own.places[quoteStart] as number,
    quoteEnd: (own.places[quoteEnd - 1] as number) + 1,
    start: places[start] as number,
    end: (places[end - 1] as number) + 1,
  }));
  const chain = longestChain(pieces);
  const run = withMarks(own.tokens, tokens, {
    from: chain[0]?.start ?? 0,
    to: (chain.at(-1)?.end ?? 1) - 1,
  });
  const [words, described] = [describeWords(own.tokens), describeWords(run)];
  const offset = tokens.indexOf(run[0] as Token);
  const moved = pieces.filter((piece) => !chain.includes(piece));
  const elsewhere = new Set(
    moved.flatMap(({ quoteStart, quoteEnd }) => words.slice(quoteStart, quoteEnd)),
  );
  let steps: WordStep[] = [];
  let [quoteAt, at] = [0, 0];
  const goTo = (quoteEnd: number, end: number, compare: typeof compareWords): void => {
    steps = steps.concat(compare(words.slice(quoteAt, quoteEnd), described.slice(at, end)));
    [quoteAt, at] = [quoteEnd, end];
  };
  // Words beside an omission are not paired: they have nothing in common.
  const compareGap = (
    quoted: readonly DescribedWord[],
    other: readonly DescribedWord[],
  ): WordStep[] =>
    quoted.some((word) => elsewhere.has(word) || word.text === ELLIPSIS_TOKEN)
      ? singles(quoted, other)
      : compareWords(quoted, other);
  for (const piece of chain) {
    goTo(piece.quoteStart, piece.start - offset, compareGap);
    goTo(piece.quoteEnd, piece.end - offset, compareWords);
  }
  goTo(words.length, described.length, compareGap);
  const { share, cost: distance } = aligned;
  const found = nearMatch(quote, source, { run, steps, share, distance, elsewhere });
  for (const { quoteStart, quoteEnd, start, end } of moved) {
    const within = compareWords(
      words.slice(quoteStart, quoteEnd),
      describeWords(tokens.slice(start, end)),
    );
    found.changes.push(...changesOf(within, textsOf(quote, source)));
  }
  return found;
}

function singles(quoted: readonly DescribedWord[], source: readonly DescribedWord[]): WordStep[] {
  return [
    ...quoted.map((word) => ({ quoted: word, source: undefined })),
    ...source.map((word) => ({ quoted: undefined, source: word })),
  ];
}

/** The numbers of the words that an ellipsis stands before. */
function marksIn(words: readonly Token[]): Set<number> {
  const marks = new Set<number>();
  let count = 0;
  for (const { text, isWord } of words) {
    if (text === ELLIPSIS_TOKEN) marks.add(count);
    if (isWord) count++;
  }
  return marks;
}

/** The pieces with the most words that follow each other in the source as in the quote. */
function longestChain(pieces: readonly Piece[]): Piece[] {
  const chains: { words: number; chain: Piece[] }[] = [];
  for (const piece of pieces) {
    const before = chains.filter(({ chain }) => (chain.at(-1)?.end ?? 0) <= piece.start);
    const { words, chain } = best(before) ?? { words: 0, chain: [] };
    chains.push({ words: words + piece.end - piece.start, chain: [...chain, piece] });
  }
  return best(chains)?.chain ?? [];
}

function best<Chain extends { words: number }>(chains: readonly Chain[]): Chain | undefined {
  return chains.reduce<Chain | undefined>(
    (most, chain) => (most === undefined || chain.words > most.words ? chain : most),
    undefined,
  );
}
