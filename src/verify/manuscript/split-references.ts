/** Splits a printed list of references into its entries. Pure. */

/** A reference of a text: `text` is what stands from `start` to `end`, in UTF-16 code units. */
export interface PlacedReference {
  text: string;
  start: number;
  end: number;
}

const NUMBERED = /^\s*(?:\[\d{1,4}\]|\(\d{1,4}\)|\d{1,4}[.)])\s/;
const BULLET = /^\s{0,3}[-*+•]\s/;

/** The references of a text in their order, without their numbers; none if it is blank. */
export function splitReferences(list: string): PlacedReference[] {
  const lines = list.split('\n');
  const startsEntry = startOf(lines);
  const starts: number[] = [];
  let start = 0;
  for (const [at, line] of lines.entries()) {
    if (line.trim() !== '' && (starts.length === 0 || startsEntry(line, at))) starts.push(start);
    start += line.length + 1;
  }
  return starts.map((from, at) => {
    const whole = list.slice(from, starts[at + 1]);
    const mark = (NUMBERED.exec(whole) ?? BULLET.exec(whole))?.[0].length ?? 0;
    const text = whole.slice(mark).trim();
    const place = from + mark + whole.slice(mark).indexOf(text);
    return { text, start: place, end: place + text.length };
  });
}

function startOf(lines: readonly string[]): (line: string, at: number) => boolean {
  const written = lines.filter((line) => line.trim() !== '');
  for (const mark of [NUMBERED, BULLET]) {
    if (mark.test(written[0] ?? '')) return (line) => mark.test(line);
  }
  const follows = (at: number): boolean => (lines[at - 1] ?? '').trim() === '';
  const blanks = lines.filter((line, at) => line.trim() !== '' && follows(at)).length;
  if (blanks > 1) return (_, at) => follows(at);
  if (written.some((line) => /^\s/.test(line))) return (line) => /^\S/.test(line);
  return () => true;
}
