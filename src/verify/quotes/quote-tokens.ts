/**
 * Divides a quote or its source into tokens that can be compared: words and single punctuation marks.
 * Differences that typesetting makes disappear: white space, kinds of dashes and quotation marks,
 * ligatures, invisible characters, soft hyphens, the micro sign and mu. Other letters, case, digits, and superscripts stay. Pure.
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
const LIGATURES: Readonly<Record<string, string>> = {
  ﬀ: 'ff',
  ﬁ: 'fi',
  ﬂ: 'fl',
  ﬃ: 'ffi',
  ﬄ: 'ffl',
  ﬅ: 'st',
  ﬆ: 'st',
};
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
    if (normal === '') continue;
    tokens.push({ text: normal, isWord, start: match.index, end: match.index + own.length });
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
  return (
    word
      .replace(INVISIBLE, '')
      .replace(/\s+/g, '')
      // The micro sign is a letter of its own, but nobody can tell it from the Greek mu.
      .replaceAll('\u00b5', '\u03bc')
      .replace(/[ﬀ-ﬆ]/g, (ligature) => LIGATURES[ligature] ?? ligature)
      .normalize('NFC')
  );
}

function normalMark(mark: string): string {
  if (DASH.test(mark)) return '-';
  if (DOUBLE_QUOTE.test(mark)) return '"';
  if (SINGLE_QUOTE.test(mark)) return "'";
  return ELLIPSIS.test(mark) ? ELLIPSIS_TOKEN : mark;
}
