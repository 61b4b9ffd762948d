/** Aligns two sequences with the fewest insertions and deletions (E. Ukkonen, "Algorithms for approximate string matching", 1985). Pure. */

/** A step through both: indexes of the items; undefined if one sequence has none there. */
export type Step<Item> =
  | { quoted: Item; source: Item }
  | { quoted: Item; source: undefined }
  | { quoted: undefined; source: Item };

export interface AlignmentCosts {
  /** The cost of replacing the item at one place by the one at the other: 0 if they are equal. */
  replace: (quotedAt: number, sourceAt: number) => number;
  /** The cost of an item that only one sequence has. */
  single: number;
}

/** The largest table. Longer sequences are aligned only at their equal beginnings and ends. */
const CELLS_MAX = 1_000_000;
/** How many diagonals the first attempt adds on each side. */
const MARGIN = 8;

const REPLACE = 1;
const DELETE = 2;
const INSERT = 3;

/** Returns the cheapest steps from one sequence to the other. Among equal costs, replacements come last. */
export function alignItems<Item>(
  quoted: readonly Item[],
  source: readonly Item[],
  costs: AlignmentCosts,
): Step<Item>[] {
  let margin = MARGIN;
  for (;;) {
    const band = bandOf(quoted.length, source.length, margin);
    if ((quoted.length + 1) * band.width > CELLS_MAX) return alignEnds(quoted, source, costs);
    const { moves, cost } = alignWithin(quoted.length, source.length, costs, band);
    // A path that leaves the band has more insertions and deletions than the band has diagonals.
    const more = Math.ceil(cost / costs.single) - band.width;
    const isWhole = band.first <= -quoted.length && band.first + band.width > source.length;
    if (more <= 0 || isWhole) return stepsOf(quoted, source, moves, band);
    // No band needs to be wider than the cheapest path of a narrower one asks for.
    margin = Math.min(4 * margin, margin + Math.ceil(more / 2));
  }
}

/** Diagonals, which are columns less rows. */
interface Band {
  first: number;
  width: number;
}

function bandOf(rows: number, columns: number, margin: number): Band {
  const first = Math.min(0, columns - rows) - margin;
  return { first, width: Math.max(0, columns - rows) + margin - first + 1 };
}

/** Aligns only the equal beginnings and ends. */
function alignEnds<Item>(
  quoted: readonly Item[],
  source: readonly Item[],
  { replace }: AlignmentCosts,
): Step<Item>[] {
  const most = Math.min(quoted.length, source.length);
  let start = 0;
  while (start < most && replace(start, start) === 0) start++;
  let end = 0;
  while (end < most - start && replace(quoted.length - 1 - end, source.length - 1 - end) === 0)
    end++;
  const longer = source.length - quoted.length;
  const both = (from: number, to: number, shift: number): Step<Item>[] =>
    quoted
      .slice(from, to)
      .map((own, at) => ({ quoted: own, source: source[from + at + shift] as Item }));
  return [
    ...both(0, start, 0),
    ...quoted.slice(start, quoted.length - end).map((own) => ({ quoted: own, source: undefined })),
    ...source.slice(start, source.length - end).map((own) => ({ quoted: undefined, source: own })),
    ...both(quoted.length - end, quoted.length, longer),
  ];
}

/** Moves by row and diagonal. */
function alignWithin(
  rows: number,
  columns: number,
  { replace, single }: AlignmentCosts,
  { first, width }: Band,
): { moves: Uint8Array; cost: number } {
  const moves = new Uint8Array((rows + 1) * width);
  let above = new Float64Array(width + 1).fill(Number.POSITIVE_INFINITY);
  let own = new Float64Array(width + 1).fill(Number.POSITIVE_INFINITY);
  for (let row = 0; row <= rows; row++) {
    own.fill(Number.POSITIVE_INFINITY);
    const last = Math.min(columns, row + first + width - 1);
    for (let column = Math.max(0, row + first); column <= last; column++) {
      const at = column - row - first;
      if (row === 0 && column === 0) {
        own[at] = 0;
        continue;
      }
      let cost = Number.POSITIVE_INFINITY;
      let move = 0;
      if (row > 0 && column > 0) {
        cost = (above[at] as number) + replace(row - 1, column - 1);
        move = REPLACE;
      }
      const deleted = row > 0 ? (above[at + 1] as number) + single : Number.POSITIVE_INFINITY;
      if (deleted < cost) {
        cost = deleted;
        move = DELETE;
      }
      const inserted = at > 0 ? (own[at - 1] as number) + single : Number.POSITIVE_INFINITY;
      if (inserted < cost) {
        cost = inserted;
        move = INSERT;
      }
      own[at] = cost;
      moves[row * width + at] = move;
    }
    [above, own] = [own, above];
  }
  return { moves, cost: above[columns - rows - first] as number };
}

function stepsOf<Item>(
  quoted: readonly Item[],
  source: readonly Item[],
  moves: Uint8Array,
  { first, width }: Band,
): Step<Item>[] {
  const steps: Step<Item>[] = [];
  let [row, column] = [quoted.length, source.length];
  while (row > 0 || column > 0) {
    const move = moves[row * width + column - row - first];
    const isInserted = move === INSERT;
    const isDeleted = move === DELETE;
    if (!isInserted) row--;
    if (!isDeleted) column--;
    steps.push({
      quoted: isInserted ? undefined : quoted[row],
      source: isDeleted ? undefined : source[column],
    } as Step<Item>);
  }
  return steps.reverse();
}
