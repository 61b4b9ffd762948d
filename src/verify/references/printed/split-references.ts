/** Splits a pasted bibliography into its references, each with its place in the text. Pure. */

/** A reference of a text: `text` is what stands from `start` to `end`, in UTF-16 code units. */
export interface PlacedReference {
  text: string;
  start: number;
  end: number;
}

interface Line {
  start: number;
  end: number;
  text: string;
}

/** The marks before the references of a list, by kind. The group captures the number, or nothing. */
const MARKS: readonly RegExp[] = [
  /^\s*\\?\[(\d{1,4})\\?\](?!\()[.:]?\s*/,
  /^\s*\[\^?(\d{1,4})\]:\s*/,
  /^\s*\^\[?(\d{1,4})\]?\^:?\s*/,
  /^\s*\((\d{1,3})\)\s+/,
  /^\s*(\d{1,4})\\?[.)]\s+(?=\S)/,
  /^\s*()\\bibitem(?:\[[^\]]{0,99}\])?\{[^}]{0,99}\}\s*/,
  /^\s*()\[\^?[\p{L}][\p{L}\p{N}+:_-]{0,40}\]:?\s+/u,
  /^\s*()[-*+•●▪◦–—]\s+/,
  /^\s*()(?=@[a-z]+\s?[{(])/i,
  /^()(?=TY {1,2}-)/,
];
const INLINE = /(?<=\s)\[(\d{1,4})\]\s/g;
/** Spaces that a line is indented by: one comes from where it was broken. */
const INDENT_MIN = 2;
/** A number of a list may be missing, but not many. */
const GAP_MAX = 20;
const HEADING =
  /^[\s#*_>]*(?:\d{1,2}\.?\s+)?(?:references?(?: list)?|bibliography|works cited|literature(?: cited)?|sources|notes|footnotes|further reading)[\s*_:.]*$|^\s*\\(?:begin|end)\{thebibliography\}/i;
const DATED =
  /\b(?:1[5-9]|20)\d\d[a-z]?\b|\bn\.d\.|\bin press\b|\bforthcoming\b|\b10\.\d{4,9}\/|https?:|\barxiv\b|\bPMC?ID\b/i;
const ENDED = /(?:[.)\]”"’]|\d|(?:https?:\/\/|10\.\d{4,9}\/)\S{1,500})[\s\\]*$/i;
/** "Berg, A", "van den Berg A,", "A. Berg", "Anna Berg and", "Anna Berg, B". */
const NAMED =
  /^\s*["“*_]{0,3}(?:\p{Ll}{2,4}\s){0,2}(?:(?:\p{L}[\p{L}'’‐-]{0,40}\.?\s?){1,4}(?:,\s(?=\p{Lu}|et\b)|\s?(?:&|and)\s(?=\p{Lu})|\s?[([](?=\d))|\p{Lu}\.\s?(?:\p{Lu}\.\s?)?\p{Lu}\p{L})/u;
const LINE_COMPARED_MAX = 300;
const HEADING_CHARACTERS_MAX = 80;
/** Lines before the first reference of a list. */
const LINES_BEFORE_MAX = 100;

/** The references of a text in their order; none if it is blank. */
export function splitReferences(text: string): PlacedReference[] {
  const lines = linesOf(text);
  const marked = startsOfMarked(text, lines);
  const pieces = marked ?? blocksOf(lines).flatMap(splitBlock);
  const placed = pieces
    .map(([start, end]) => place(text, start, end))
    .filter((each) => each.text !== '');
  const areDated = placed.some((each) => DATED.test(each.text));
  return areDated ? placed.filter((each) => !isProse(each.text)) : placed;
}

type Piece = readonly [start: number, end: number];

function place(text: string, start: number, end: number): PlacedReference {
  const whole = text.slice(start, end);
  const own = whole.trim();
  const from = start + whole.indexOf(own);
  return { text: own, start: from, end: from + own.length };
}

/** Sentences that a chat puts before and after its list. */
function isProse(text: string): boolean {
  return !DATED.test(text.slice(0, 4 * LINE_COMPARED_MAX)) && /[:!?]$/.test(text);
}

/** The lines of a text. Headings become blank ones. */
function linesOf(text: string): Line[] {
  const found = text.matchAll(/([^\r\n\u2028]*)(?:\r\n|[\r\n\u2028]|$)/g);
  return [...found].map(({ index, 1: line = '' }) => {
    const isHeading = line.length <= HEADING_CHARACTERS_MAX && HEADING.test(line);
    return { start: index, end: index + line.length, text: isHeading ? '' : line };
  });
}

/** The references of a numbered list or one with bullets; undefined if it is none. */
function startsOfMarked(text: string, lines: readonly Line[]): Piece[] | undefined {
  const first = lines
    .slice(0, LINES_BEFORE_MAX)
    .findIndex(({ text: line }) => line !== '' && MARKS.some((mark) => mark.test(line)));
  const kind = MARKS.find((mark) => mark.test(lines[first]?.text ?? ''));
  if (kind === undefined) return undefined;
  const before = lines.slice(0, first).map((line) => line.text.slice(-LINE_COMPARED_MAX).trim());
  const said = before.filter((line) => line !== '');
  const isSaid = said.at(-1)?.endsWith(':') === true;
  if (!isSaid && said.some((line) => DATED.test(line))) return undefined;
  const indent = indentOf(lines[first] as Line);
  const starts: { at: number; from: number }[] = [];
  let last = Number.NaN;
  for (const line of lines) {
    const found = kind.exec(line.text);
    if (found === null || indentOf(line) > indent + 1) continue;
    const number = found[1] === '' ? Number.NaN : Number(found[1]);
    const follows =
      Number.isNaN(last) || Number.isNaN(number) || (number > last && number <= last + GAP_MAX);
    if (!follows) continue;
    last = number;
    starts.push({ at: line.start, from: line.start + found[0].length });
  }
  const all = kind === MARKS[0] ? withInline(text, starts) : starts;
  return all
    .map(({ from }, at) => [from, all[at + 1]?.at ?? text.length] as const)
    .map((piece) => withoutEpilogue(text, piece));
}

/** With the numbers within lines: "[1] … [2] …". */
function withInline(
  text: string,
  starts: readonly { at: number; from: number }[],
): { at: number; from: number }[] {
  const byPlace = new Map(starts.map((start) => [start.at, start]));
  let last = Number.NaN;
  for (const { index, 0: whole, 1: number } of ` ${text}`.matchAll(INLINE)) {
    const at = index - 1;
    if (Number.isNaN(last) ? byPlace.has(at) : Number(number) === last + 1) {
      last = Number(number);
      if (!byPlace.has(at)) byPlace.set(at, { at, from: at + whole.length });
    }
  }
  return [...byPlace.values()].sort((a, b) => a.at - b.at);
}

/** Text after the last reference that follows a blank line and is not indented belongs to no reference. */
function withoutEpilogue(text: string, [start, end]: Piece): Piece {
  const gap = /\n[ \t]*(?:\r?\n(?=\S)|\\end\{thebib)/.exec(text.slice(start, end));
  if (gap === null) return [start, end];
  const rest = text.slice(start + gap.index, end);
  return DATED.test(rest.slice(0, LINE_COMPARED_MAX)) ? [start, end] : [start, start + gap.index];
}

function indentOf({ text }: Line): number {
  return text.length - text.trimStart().length + (text.startsWith('\t') ? INDENT_MIN : 0);
}

function blocksOf(lines: readonly Line[]): Line[][] {
  const blocks: Line[][] = [[]];
  for (const line of lines) {
    const block = blocks.at(-1) as Line[];
    // A comma before a blank line: a page ended.
    if (line.text.trim() !== '') block.push(line);
    else if (!/,\s*$/.test(block.at(-1)?.text.slice(-LINE_COMPARED_MAX) ?? '')) blocks.push([]);
  }
  return blocks.filter((block) => block.length > 0);
}

/** Lines between two blank ones: one reference, one with a hanging indent, or one a line. */
function splitBlock(lines: readonly Line[]): Piece[] {
  const starts = startsOf(lines);
  const end = lines.at(-1)?.end ?? 0;
  return starts.map(({ start }, at) => [start, starts[at + 1]?.start ?? end]);
}

function startsOf(lines: readonly Line[]): Line[] {
  const compared = lines.map(({ text }) => text.slice(0, LINE_COMPARED_MAX));
  const indents = lines.map(indentOf);
  const least = Math.min(...indents.slice(0, LINE_COMPARED_MAX));
  const isHanging = (at: number): boolean => (indents[at] ?? 0) >= least + INDENT_MIN;
  if (indents[0] === least && lines.some((_, at) => isHanging(at))) {
    return lines.filter((_, at) => !isHanging(at));
  }
  const isDated = lines.map(({ text }) => DATED.test(text.slice(0, 4 * LINE_COMPARED_MAX)));
  const isEnded = lines.map(({ text }) => ENDED.test(text.slice(-LINE_COMPARED_MAX)));
  const areWhole = isDated.every((is, at) => is && isEnded[at]) || !isDated.includes(true);
  if (areWhole) return [...lines];
  let hasDate = isDated[0] === true;
  return lines.filter((_, at) => {
    const isStart =
      at === 0 || (hasDate && isEnded[at - 1] === true && NAMED.test(compared[at] ?? ''));
    hasDate = isStart ? isDated[at] === true : hasDate || isDated[at] === true;
    return isStart;
  });
}
