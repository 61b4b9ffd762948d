/** Decodes TeX that needs no parser: accents, letters, dashes, quotation marks, ties, and braces. Pure. */

/** The combining mark of each accent. */
const MARKS: Readonly<Record<string, string>> = {
  '`': '\u0300',
  "'": '\u0301',
  '^': '\u0302',
  '~': '\u0303',
  '"': '\u0308',
  '=': '\u0304',
  '.': '\u0307',
  u: '\u0306',
  v: '\u030c',
  H: '\u030b',
  c: '\u0327',
  k: '\u0328',
  r: '\u030a',
  d: '\u0323',
};
const LETTERS: Readonly<Record<string, string>> = {
  aa: 'å',
  AA: 'Å',
  ae: 'æ',
  AE: 'Æ',
  oe: 'œ',
  OE: 'Œ',
  o: 'ø',
  O: 'Ø',
  l: 'ł',
  L: 'Ł',
  ss: 'ß',
  i: 'ı',
};
/** `\'e`, `\'{e}`, `\'{\i}`, `\'\i`, `\v{s}`, `\v s`. */
const ACCENT =
  /\\(?:([`'^"~=.])|([uvHckrd])(?![a-zA-Z]))\s*(?:\{(?:\\(i)|([a-zA-Z]))\}|\\(i)(?![a-zA-Z])(?:\{\})?|([a-zA-Z]))/g;
const LETTER = /\\(aa|AA|ae|AE|oe|OE|ss|[oOlLi])(?![a-zA-Z])(?:\{\})?/g;
const MARKUP: Readonly<Record<string, string>> = {
  '---': '—',
  '--': '–',
  '``': '“',
  "''": '”',
  '~': ' ',
};

/**
 * The text, in NFD where it has accents; undefined for TeX with formulas, other commands, or
 * paragraphs.
 */
export function decodeSimpleTex(tex: string): string | undefined {
  const text = tex
    .replace(ACCENT, (_, sign, command, ...letters) => {
      return letters.slice(0, 4).join('') + MARKS[sign ?? command];
    })
    .replace(LETTER, (_, name: string) => LETTERS[name] as string);
  if (/[\\$]|\n\s*\n/.test(text)) return undefined;
  return text
    .replace(/\s+/g, ' ')
    .replace(/---|--|``|''|~/g, (markup) => MARKUP[markup] as string)
    .replace(/[{}]/g, '')
    .trim();
}
