/** Where the title of a printed reference may be, by the rules of the styles. Pure. */

export interface Span {
  start: number;
  end: number;
}

/** Spans that are tried. */
const SPANS_MAX = 6;
/** A longer text is not a title. */
const TITLE_CHARACTERS_MAX = 500;
const LONG_WORDS_MIN = 3;
const YEAR = String.raw`(?:1[6-9]|20)\d\d[a-z]?`;
const QUOTES: readonly RegExp[] = [
  /(?:[“„«]|``)\s?([^“”„«»]{2,500}?)[,.]?\s?(?:[”»“]|'')/u,
  /(?<![\p{L}\p{N}])"\s?([^"]{2,500}?)[,.]?\s?"/u,
  /(?<![\p{L}\p{N}])[‘'](?=[\p{L}\p{N}“"])(.{2,500}?)(?:[,.]?[’'](?=[,.;)]|$|\s[([]|\s[Ii]n\b)|[,.][’'])/u,
];
const IN_BRACKETS = new RegExp(
  String.raw`[([](?:${YEAR}|n\.d\.|in press|forthcoming)(?:,[^()[\]]{0,40})?[)\]][.,:]?\s*`,
  'i',
);
const YEAR_FIRST = new RegExp(String.raw`^\s*${IN_BRACKETS.source}`, 'i');
const ALONE = new RegExp(String.raw`(?<=[.,]\s)${YEAR}[.,:]\s+`);
const WORD = String.raw`(?!(?:and|und|et)\b)\p{L}[\p{L}\p{M}'’‐-]{0,40}`;
const WORDS = String.raw`(?:${WORD}\s){0,3}${WORD}`;
/** A name with initials, before or after it. */
const NAME = new RegExp(
  String.raw`(?:(?:\p{Lu}\p{Ll}{0,2}\.[\s-]?){1,5}${WORDS}|${WORDS},?\s(?:(?:\p{Lu}\.[\s-]?){1,5}|\p{Lu}(?:-?\p{Lu}){0,3}(?![\p{L}\p{M}]))(?:\s?(?:Jr|Sr|III?)\b\.?)?)`,
  'uy',
);
const BETWEEN = /\s?(?:[,;]\s?(?:(?:and|und|&)\s)?|(?:and|und|&)\s)/y;
const ET_AL = /[,;]?\s?(?:et\s+al|and\s+others)\b/iy;
/** After two letters or digits, which no initial has. A subtitle may follow a question. */
const SENTENCE_END = new RegExp(
  String.raw`(?<=[\p{L}\p{N}]{2}[”")’]?\.[”"’]?|\d[.)]|[”"’],?)\s(?=[\p{L}\p{N}“"‘(])|[?!]\s(?=${YEAR})|,\s(?=[Ii]n:\s)|\s(?=[([]${YEAR}[)\]])`,
  'gu',
);
const ABBREVIATION =
  /(?:^|[^\p{L}])(?:vs|st|dr|jr|mr|prof|no|vol|pp?|eds?|proc|conf|int|trans|univ|dept|fig|ca|cf)\.$/iu;

/** Spans that may be the title, the likeliest first. The text is in one line. */
export function titleSpans(text: string): Span[] {
  const ends = sentenceEnds(text);
  const sentenceAt = (place: number): Span => {
    let start = place;
    while (/[\s.,:;]/.test(text.charAt(start))) start++;
    return { start, end: ends.find((end) => end > start) ?? text.length };
  };
  const wordsIn = ({ start, end }: Span): number =>
    (text.slice(start, end).match(/[\p{L}\p{N}]+/gu) ?? []).length;
  const isLong = (span: Span): boolean => wordsIn(span) >= LONG_WORDS_MIN;
  const quoted = QUOTES.flatMap((pattern) => spanOf(pattern.exec(text)));
  const dated = [IN_BRACKETS, ALONE].flatMap((pattern) => {
    const found = pattern.exec(text);
    if (found === null) return [];
    const start = found.index + found[0].length;
    // In other styles, the year is not followed by a title and a venue.
    const words = text.slice(start).match(/\p{L}{2,}/gu) ?? [];
    return words.length >= LONG_WORDS_MIN ? [sentenceAt(start)] : [];
  });
  const names = endOfNames(text);
  const named = names > 0 ? [sentenceAt(names), partAt(text, names)] : [];
  const sentences = [...ends.slice(0, SPANS_MAX).map(sentenceAt), sentenceAt(0)];
  const ranked = [
    ...quoted.filter(isLong),
    ...dated,
    ...named,
    ...quoted,
    ...sentences.filter(isLong),
    ...sentences,
  ];
  const distinct = new Map<string, Span>();
  for (const { start, end } of ranked.map((span) => trim(text, span))) {
    if (start < end) distinct.set(`${start} ${end}`, { start, end });
  }
  return [...distinct.values()].slice(0, SPANS_MAX);
}

/** The place of the group of a match. */
function spanOf(found: RegExpExecArray | null): Span[] {
  const [whole, inner] = found ?? [];
  if (found === null || whole === undefined || inner === undefined) return [];
  const start = found.index + whole.indexOf(inner);
  return [{ start, end: start + inner.length }];
}

/** Where sentences end, without those after an abbreviation. */
export function sentenceEnds(text: string): number[] {
  return [...text.matchAll(SENTENCE_END)]
    .map(({ index }) => index)
    .filter((end) => !ABBREVIATION.test(text.slice(Math.max(0, end - 6), end)));
}

/** Without the marks around it, and without the year before it. */
function trim(text: string, { start, end }: Span): Span {
  const year = YEAR_FIRST.exec(text.slice(start, end))?.[0].length ?? 0;
  let [from, to] = [start + year, Math.min(end, start + TITLE_CHARACTERS_MAX)];
  while (from < to && /[\s.,:;“"„«‘'”’)\]]/.test(text.charAt(from))) from++;
  while (from < to && /[\s.,:;”"»’'“]/.test(text.charAt(to - 1))) to--;
  return { start: from, end: to };
}

/** Where the names with initials end that the text begins with; 0 without such names. */
function endOfNames(text: string): number {
  let at = 0;
  const passes = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null || found[0] === '') return false;
    at += found[0].length;
    return true;
  };
  while (passes(NAME)) {
    if (passes(ET_AL)) break;
    if (!passes(BETWEEN)) break;
  }
  const isEnded =
    /^\s?[.,:;([“"‘']/.test(text.slice(at, at + 2)) || /[.,]\s?$/.test(text.slice(0, at).slice(-2));
  return isEnded ? at : 0;
}

/** From a place to the next comma. */
function partAt(text: string, start: number): Span {
  const comma = text.indexOf(', ', start + 1);
  return { start, end: comma === -1 ? text.length : comma };
}
