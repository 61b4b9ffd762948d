/** Finds the runs of a source that a quote was put together from: an alignment with jumps. Pure. */
import { countShared, numberWords } from './align-words.ts';

/** Words of the quote and the run of the source's words that they are from; the ends are exclusive. */
export interface Piece {
  quoteStart: number;
  quoteEnd: number;
  start: number;
  end: number;
  /** Words that are the same. */
  same: number;
}

export interface PiecedAlignment {
  /** In the order of the quote. */
  pieces: Piece[];
  /** 1 - words to insert, delete, or replace within the pieces / words of the quote. */
  share: number;
  /** These words, and what the jumps count. */
  cost: number;
}

/** A jump costs as much as two wrong words, and less at an ellipsis. */
const JUMP = 2;
const MARKED_JUMP = 1;
/** The additional cost of a jump back. */
const BACK = 1;
const PIECES_MAX = 3;
/** A shorter piece may match by chance. It counts only near a long one, within this many words. */
const PIECE_WORDS_MIN = 3;
const GAP_WORDS_MAX = 10;

const REPLACE = 1;
const DELETE = 2;
const INSERT = 3;
const LEAP = 4;

/** The lowest cost of two or more pieces. */
export function leastCost(marks: ReadonlySet<number>): number {
  return marks.size > 0 ? MARKED_JUMP : JUMP;
}

/**
 * The best two or more pieces; undefined if their share is below `shareMin`, there are more than three that
 * no ellipsis divides, or one is too short. `marks` has the numbers of words before ellipses.
 */
export function alignPieces(
  quoteWords: readonly string[],
  sourceWords: readonly string[],
  { shareMin, marks }: { shareMin: number; marks: ReadonlySet<number> },
): PiecedAlignment | undefined {
  if (sourceWords.length < shareMin * quoteWords.length) return undefined;
  if (countShared(quoteWords, sourceWords) < shareMin * quoteWords.length) return undefined;
  const { quote, source } = numberWords(quoteWords, sourceWords);
  const width = source.length + 1;
  const moves = new Uint8Array((quote.length + 1) * width);
  /** The column from which each jump comes. */
  const origins = new Uint32Array(moves.length);
  const costs = new Uint32Array(width);
  for (let row = 1; row <= quote.length; row++) {
    let diagonal = costs[0] as number;
    let least = 0;
    costs[0] = row;
    moves[row * width] = DELETE;
    for (let column = 1; column < width; column++) {
      const replaced = diagonal + (quote[row - 1] === source[column - 1] ? 0 : 1);
      const deleted = (costs[column] as number) + 1;
      const inserted = (costs[column - 1] as number) + 1;
      diagonal = costs[column] as number;
      const cost = Math.min(replaced, deleted, inserted);
      costs[column] = cost;
      moves[row * width + column] =
        cost === replaced ? REPLACE : cost === deleted ? DELETE : INSERT;
      if (cost < (costs[least] as number)) least = column;
    }
    if (row === quote.length) break;
    const jump = marks.has(row) ? MARKED_JUMP : JUMP;
    const back = (costs[least] as number) + jump + BACK;
    let [before, leastBefore] = [0, costs[0] as number];
    for (let column = 0; column < width; column++) {
      const cost = costs[column] as number;
      const isBack = back < leastBefore + jump;
      const jumped = isBack ? back : leastBefore + jump;
      if (jumped <= cost) {
        costs[column] = jumped;
        moves[row * width + column] = LEAP;
        origins[row * width + column] = isBack ? least : before;
      }
      // If several columns cost the same, the nearest one wins.
      if (cost <= leastBefore) [before, leastBefore] = [column, cost];
    }
  }
  const aligned = piecesOf(quote, source, { costs, moves, origins });
  const unmarked = aligned.pieces.filter(({ quoteStart }) => !marks.has(quoteStart));
  const isUsable =
    aligned.pieces.length > 1 &&
    unmarked.length <= PIECES_MAX &&
    aligned.pieces.every((piece, at, all) => isLong(piece) || isNearOne(all, at));
  return isUsable && aligned.share >= shareMin ? aligned : undefined;
}

function isLong({ same }: Piece): boolean {
  return same >= PIECE_WORDS_MIN;
}

/** Whether a piece follows a long one shortly, or is followed by one. */
function isNearOne(pieces: readonly Piece[], at: number): boolean {
  const [before, own, after] = [pieces[at - 1], pieces[at] as Piece, pieces[at + 1]];
  const isShort = (words: number): boolean => words >= 0 && words <= GAP_WORDS_MAX;
  return (
    (before !== undefined && isLong(before) && isShort(own.start - before.end)) ||
    (after !== undefined && isLong(after) && isShort(after.start - own.end))
  );
}

function piecesOf(
  quote: Uint32Array,
  source: Uint32Array,
  { costs, moves, origins }: { costs: Uint32Array; moves: Uint8Array; origins: Uint32Array },
): PiecedAlignment {
  const pieces: Piece[] = [];
  const cost = costs.reduce((least, each) => Math.min(least, each));
  let [row, column] = [quote.length, costs.indexOf(cost)];
  let [edits, same] = [0, 0];
  let end = { quoteEnd: row, end: column };
  const close = (): void => {
    pieces.push({ quoteStart: row, start: column, ...end, same });
    same = 0;
  };
  while (row > 0) {
    const at = row * (source.length + 1) + column;
    const move = moves[at];
    if (move === LEAP) {
      close();
      column = origins[at] as number;
      end = { quoteEnd: row, end: column };
      continue;
    }
    const isSame = move === REPLACE && quote[row - 1] === source[column - 1];
    if (isSame) same++;
    else edits++;
    if (move !== INSERT) row--;
    if (move !== DELETE) column--;
  }
  close();
  return { pieces: pieces.reverse(), share: 1 - edits / quote.length, cost };
}
