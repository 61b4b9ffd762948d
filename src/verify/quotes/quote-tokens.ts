/**
 * Divides a quote or its source into tokens that can be compared: words and single punctuation marks.
 * Differences that typesetting makes disappear: white space, kinds of dashes and quotation marks,
 * invisible characters, soft hyphens, and compatibility characters: ligatures, full-width forms, the micro
 * sign and mu. Other letters, case, digits, superscripts, and fractions stay. Pure.
 */

export interface Token {
  /** What is compared. */
  text: string;
  isWord: boolean;
  /** Offsets in the text that was divided, in UTF-16 units. */
  start: number;
  end: number;
}

/** A soft hyphen at the end of a line belongs to its word, with the blank after it. */
const TOKEN =
  /(?:[\p{L}\p{N}\p{M}\p{Cf}\p{Co}]|(?<=\p{L}\u00ad)\s+(?=\p{L}))+|\.{2,}|``|''|--+|\S/gu;
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]/u;
const INVISIBLE = /\p{Cf}|[\ufe00-\ufe0f]/gu;
/**
 * Not folded by NFKC: "10²" is not "102", "½" is not "1/2" after a digit, and "xⁿ" is not "xn". Half-width
 * kana are letters of a kind that is otherwise superscript.
 */
const FOLDED = /(?:[^\p{No}\p{Lm}ªº]|[\uff66-\uff9f])+/gu;
/** ASCII, but for dashes and quotation marks. */
const PLAIN_MARK = /^[!#-&(-,./:-@[-_{-~]$/;
const RAISED_SIGN = /[\u207a-\u208e]/;
const DASH = /^(?:\p{Pd}|[\u2212\u2043\u02d7]|--+)$/u;
const DOUBLE_QUOTE = /^(?:["“”„‟«»″＂]|``|'')$/u;
const SINGLE_QUOTE = /^['‘’‚‛‹›′`´＇]$/u;
const ELLIPSIS = /^(?:…|\.{2,})$/u;

/** The token of an ellipsis, whatever it is written with. */
export const ELLIPSIS_TOKEN = '…';

/** What may stand around a quote without being part of it. */
const AROUND = new Set(['"', "'", '.', ',', ';', ':', '!', '?', '[', ']', ELLIPSIS_TOKEN]);

/** The tokens of a text in order. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.toWellFormed().matchAll(TOKEN)) {
    const [own] = match;
    const isWord = WORD.test(own);
    const normal = isWord ? normalWord(own) : normalMark(own);
    const [start, end] = [match.index, match.index + own.length];
    if (normal === '') continue;
    if (isWord || normal.length === own.length) tokens.push({ text: normal, isWord, start, end });
    // One character may be several tokens: "℃".
    else
      for (const text of normal.match(TOKEN) ?? [])
        tokens.push({ text, isWord: WORD.test(text), start, end });
  }
  return tokens;
}

/**
 * The same with words joined at hyphens, for a quote that was hyphenated at the ends of lines:
 * "inter-\nnational" and "international" become one.
 */
export function joinHyphens(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (const [at, token] of tokens.entries()) {
    const last = joined.at(-1);
    const isHyphen = token.text === '-' && last?.isWord === true && token.start === last.end;
    if (isHyphen && tokens[at + 1]?.isWord === true) continue;
    const before = tokens[at - 1];
    const wasSkipped = token.isWord && before?.text === '-' && last?.end === before.start;
    if (wasSkipped && last?.isWord === true) {
      joined[joined.length - 1] = { ...last, text: last.text + token.text, end: token.end };
    } else joined.push(token);
  }
  return joined;
}

/** Whether a hyphen stands at the end of a line, or before a blank that may have been one. */
export function isHyphenated(text: string): boolean {
  return /\p{L}[-\u00ad\u2010]\s+\p{L}/u.test(text);
}

/** The tokens without quotation marks, periods, and the like at both ends. */
export function trimTokens(tokens: readonly Token[]): Token[] {
  const isInner = ({ text }: Token): boolean => !AROUND.has(text);
  const first = tokens.findIndex(isInner);
  return first === -1 ? [] : tokens.slice(first, tokens.findLastIndex(isInner) + 1);
}

function normalWord(word: string): string {
  if (/^\w+$/.test(word)) return word;
  return word
    .replace(INVISIBLE, '')
    .replace(/\s+/g, '')
    .replace(FOLDED, (part) => part.normalize('NFKC'))
    .normalize('NFC');
}

function normalMark(mark: string): string {
  if (PLAIN_MARK.test(mark)) return mark;
  if (DASH.test(mark)) return '-';
  if (DOUBLE_QUOTE.test(mark)) return '"';
  if (SINGLE_QUOTE.test(mark)) return "'";
  if (ELLIPSIS.test(mark)) return ELLIPSIS_TOKEN;
  const folded = mark.normalize('NFKC');
  // Marks that stand alone become a blank with a mark above it.
  return RAISED_SIGN.test(mark) || folded.startsWith(' ') ? mark : folded;
}
