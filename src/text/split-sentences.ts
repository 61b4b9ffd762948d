/**
 * Splits the text of a paper into sentences that can be quoted word for word.
 *
 * It reads each end mark (period, question mark, ...) once, with a bounded number of characters on
 * either side, so it takes linear time for any text. If an end mark is ambiguous, it keeps the two
 * sentences together. A quotation that is too long still says what its author said; one that is cut
 * after "Fig." does not.
 *
 * Offsets are UTF-16 code units. The end is exclusive.
 */

import type { SentenceSpan } from '../types.ts';
import {
  BEFORE_CAPITAL,
  LETTERED_NOUNS,
  POSSIBLE_NAMES,
  type SentenceWords,
  UNIT_CAPITALS,
} from './abbreviations.ts';
import { sentenceWordsOf } from './abbreviations-of-languages.ts';
import { languageOf } from './language.ts';

/** An end mark with the closing quotes and brackets that follow it. */
interface EndMark {
  start: number;
  /** The offset after the last closing quote, bracket or citation. */
  end: number;
  /** The mark alone: ".", "?!", "...". */
  characters: string;
  /** Closing quotes and brackets, often empty. */
  closers: string;
  /** The start of the sentence that the mark may end. */
  sentenceStart: number;
  /** Those of the language of the text. */
  words: SentenceWords;
}

/** The word before a period, without the period: "e.g", "Fig", "3". Empty after a bracket. */
interface LastWord {
  word: string;
  start: number;
  /** The character before the word. Empty at the start of the text. */
  before: string;
}

/** How far on either side of an end mark a bracket around it is searched for. */
const BRACKET_LENGTH_MAX = 80;

/** How much text is read on either side of an end mark to judge it. */
const WORD_LENGTH_MAX = 40;

const SECTION_LABEL_LENGTH_MAX = 100;

/**
 * A blank line, or an end mark with its closing quotes and brackets and an optional citation
 * ("known.[3] The"). Each part is a run of one kind of character, so the scan never backtracks. The
 * runs are bounded, because the engine stores a backtracking point per repetition and could run out
 * of stack.
 */
const BOUNDARY_CANDIDATE = new RegExp(
  [
    '(?:\\r(?!\\n)|[\\n\\u2028])[^\\S\\r\\n\\u2028]{0,1000}[\\r\\n\\u2028]|\\u2029',
    '(?<mark>[\\p{Sentence_Terminal}…‥]{1,1000})' +
      // German closes with quotes that open in other languages, before white space.
      '(?<closers>(?:["\'”’»›)\\]}）］｝」』】〉》]|[“«‹](?!\\S)){0,8})' +
      '(?:\\[\\d[\\d,–-]{0,40}\\])?',
  ].join('|'),
  'gu',
);

/** End marks of Chinese and Japanese, which need no white space after them. */
const FULL_WIDTH_MARK = /[。！？．｡]/;

/** Letters of Chinese and Japanese, at the end and at the start of a text. */
const ENDS_IN_IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;
const STARTS_WITH_IDEOGRAPH = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

const OPENING_QUOTES_AND_BRACKETS = /^["'“‘„«‹([{¿¡]+/;

/**
 * The sentences of `text`, trimmed, in order and without overlap. They cover everything except white
 * space and section labels. A blank line ends a sentence; a single line break does not.
 */
export function splitSentences(text: string): SentenceSpan[] {
  const spans: SentenceSpan[] = [];
  const words = sentenceWordsOf(languageOf(text));
  let start = skipBlank(text, 0);
  let startsParagraph = true;
  for (const match of text.matchAll(BOUNDARY_CANDIDATE)) {
    // This blank line was already skipped with the one before.
    if (match.index < start) continue;
    const mark = endMark(match, start, words);
    if (mark !== null && !endsSentence(text, mark)) continue;
    const end = mark?.end ?? match.index;
    const isLabel = mark === null && startsParagraph && isSectionLabel(text.slice(start, end));
    if (!isLabel) addTrimmed(spans, text, { start, end });
    start = skipBlank(text, end);
    startsParagraph = mark === null || hasBlankLine(text.slice(end, start));
  }
  addTrimmed(spans, text, { start, end: text.length });
  return spans;
}

/**
 * Whether a paragraph is the label of a section, such as "AUTHORS' CONCLUSIONS:". Bulk formats write
 * labels as paragraphs of their own. They are not part of a sentence and are never quoted.
 */
export function isSectionLabel(paragraph: string): boolean {
  return paragraph.length <= SECTION_LABEL_LENGTH_MAX && /^[^.?!]*:\s*$/.test(paragraph);
}

function hasBlankLine(blank: string): boolean {
  return (blank.match(/\r\n|[\r\n\u2028]/g)?.length ?? 0) > 1 || blank.includes('\u2029');
}

/** Adds a span without its trailing white space, unless nothing is left. */
function addTrimmed(spans: SentenceSpan[], text: string, { start, end }: SentenceSpan): void {
  let trimmedEnd = end;
  while (trimmedEnd > start && isBlank(text, trimmedEnd - 1)) trimmedEnd--;
  if (trimmedEnd > start) spans.push({ start, end: trimmedEnd });
}

/** The matched end mark, or null for a blank line. */
function endMark(
  match: RegExpExecArray,
  sentenceStart: number,
  words: SentenceWords,
): EndMark | null {
  const { mark = '', closers = '' } = match.groups ?? {};
  if (mark === '') return null;
  const end = match.index + match[0].length;
  return { start: match.index, end, characters: mark, closers, sentenceStart, words };
}

function endsSentence(text: string, mark: EndMark): boolean {
  const next = wordAfter(text, skipBlank(text, mark.end));
  // The rest of the text becomes a sentence anyway.
  if (next === '') return false;
  if (FULL_WIDTH_MARK.test(mark.characters)) return !continuesFullWidth(mark, next);
  if (!isBlank(text, mark.end)) return isBetweenIdeographs(text, mark);
  // A detached comma or bracket, the next dot of an ellipsis, ". . .", or a French quote that closes.
  if (/^(?:[,;:)\]}]|[.?!…]+$|»$)/.test(next)) return false;
  if (mark.characters !== '.') return !startsInLowerCase(next);
  return periodEndsSentence(text, mark, next);
}

/** Chinese often has periods without white space after them. */
function isBetweenIdeographs(text: string, { start, end, characters }: EndMark): boolean {
  if (!/^[.?!]+$/.test(characters)) return false;
  const before = text.slice(Math.max(0, start - 2), start);
  return ENDS_IN_IDEOGRAPH.test(before) && STARTS_WITH_IDEOGRAPH.test(text.slice(end, end + 2));
}

/** "３．５" is a number, and Japanese continues after a quotation with "と言う" (said). */
function continuesFullWidth(mark: EndMark, next: string): boolean {
  if (mark.characters === '．') return /^[\p{N}\p{Script=Latin}]/u.test(next);
  return mark.closers !== '' && /^(?:[、，,]|(?:と|って)[言いう述話答呼書聞思考])/.test(next);
}

function periodEndsSentence(text: string, mark: EndMark, next: string): boolean {
  const last = wordBefore(text, mark.start);
  const isSmall = startsInLowerCase(next);
  const isDetached = last.word === '' && /\s/.test(last.before);
  if (isDetached) return detachedPeriodEndsSentence(text, mark, next);
  const { words } = mark;
  if (words.neverFinal.has(last.word) || isListMarker(text, last, mark)) return false;
  if (words.beforeNumber.has(last.word) && mark.closers === '' && /^\p{N}/u.test(next))
    return false;
  if (isWithinBrackets(text, mark)) return false;
  const shownBy = endShownBy(text, last, mark);
  if (shownBy === 'any') return !isSmall || /^\p{Ll}{5,}$/u.test(last.word);
  // In "(Morus alba L.) was" the period belongs to the word, not to the sentence.
  if (/[)\]]/.test(mark.closers) && !/[([]/.test(text.charAt(mark.sentenceStart))) return false;
  if (shownBy === 'capital') return !isSmall && /^\P{N}/u.test(withoutOpening(next));
  if (shownBy === 'word' && /^\p{Lu}\p{Ll}[^.]*$/u.test(withoutOpening(next))) return true;
  if (shownBy === 'nothing' || !isOpener(next, words)) return false;
  return shownBy !== 'no name' || !POSSIBLE_NAMES.has(lettersOf(next));
}

/**
 * Whether an open bracket continues after the mark: "on the line (Re s = 1. A proof exists)". A
 * bracket at the start of the sentence encloses all of it and does not count.
 */
function isWithinBrackets(text: string, { start, end, sentenceStart }: EndMark): boolean {
  const before = text.slice(Math.max(sentenceStart + 1, start - BRACKET_LENGTH_MAX), start);
  if (before.lastIndexOf('(') <= before.lastIndexOf(')')) return false;
  return /^[^()]*\)/.test(text.slice(end, end + BRACKET_LENGTH_MAX));
}

/** Some collections put a space before every period, even in "E . coli" and "< . 05". */
function detachedPeriodEndsSentence(text: string, mark: EndMark, next: string): boolean {
  const before = text.slice(Math.max(mark.sentenceStart, mark.start - 8), mark.start).trimEnd();
  if (/(?:^|[\s([{])\p{Lu}$/u.test(before) || /[.…]$/.test(before)) return !startsInLowerCase(next);
  return !(/^\p{N}/u.test(next) && /[^\p{L})\]}]$/u.test(before));
}

/**
 * What must follow the period of a word for it to end the sentence: any word that does not start in
 * lower case, a capital, a capitalized word or a sentence opener, a sentence opener, or an opener
 * that is never a name. With 'nothing', the period never ends the sentence.
 */
type EndShownBy = 'any' | 'capital' | 'word' | 'opener' | 'no name' | 'nothing';

function endShownBy(
  text: string,
  { word, start, before }: LastWord,
  { sentenceStart, words }: EndMark,
): EndShownBy {
  if (words.beforeOpener.has(word)) return 'opener';
  if (words.hasOrdinals && /^\d{1,2}$/.test(word)) return 'opener';
  if (BEFORE_CAPITAL.has(word)) return 'capital';
  // "a.m." and "i.v." end a sentence more readily than "U.S." and "R.A.", which precede names.
  if (/^(?:\p{L}\.)+\p{L}$/u.test(word)) return /^\p{Lu}/u.test(word) ? 'opener' : 'capital';
  if (/^\p{Script=Latin}$/u.test(word)) {
    // In "1980's", "37°C" and "μg/d" the letter is only the end of a word.
    if (/\p{Lu}/u.test(word) ? before === '°' : /[^\s([{]/.test(before)) return 'any';
    const earlier = wordBefore(text, start - 1).word;
    if (LETTERED_NOUNS.has(earlier.toLowerCase())) return 'opener';
    const isMarker = start === sentenceStart || /[:;]\s$/.test(text.slice(start - 2, start));
    if (isMarker) return 'nothing';
    // In "ViT-L" and "Q&A" the letter is the end of a name.
    if (!/\s/.test(before)) return isEndOfName(text, start) ? 'word' : 'nothing';
    return endOfLetterShownBy(word, earlier);
  }
  // A longer word ("RecQ") and a unit ("3 mM") are not initials. A short word may be one.
  if (!/\p{Ll}\p{Lu}$/u.test(word)) return 'any';
  return word.length > 2 || /^\d/.test(wordBefore(text, start - 1).word) ? 'word' : 'opener';
}

/** Whether a letter is joined to a word before it, unlike the second initial of "J.-P. Sartre". */
function isEndOfName(text: string, start: number): boolean {
  return /[\p{L}\p{N}\\][-/&]$/u.test(text.slice(Math.max(0, start - 2), start));
}

/** A year, after which a capital is an initial: "in 1935, J. R. Stroop". */
const YEAR = /^(?:1[5-9]|20)\d\d$/;

/**
 * A capital may be an initial. After a number it is a unit: "77 K". A small letter may be a variable
 * or a unit: "1/ln x", "5 g".
 */
function endOfLetterShownBy(letter: string, earlier: string): EndShownBy {
  const isNumber = /^\d/.test(earlier);
  if (/\p{Lu}/u.test(letter)) {
    if (!isNumber || YEAR.test(earlier)) return 'no name';
    return UNIT_CAPITALS.has(letter) ? 'word' : 'opener';
  }
  const isUnit = isNumber && /[adghlmsw]/.test(letter);
  return isUnit || /[knpqrtxyz]|[^a-z]/.test(letter) ? 'word' : 'opener';
}

/** Whether the mark belongs to a list marker, such as the "1." of "Aims: 1. To count." */
function isListMarker(text: string, { word, start }: LastWord, { sentenceStart }: EndMark) {
  if (start === sentenceStart) return /^(?:\d{1,2}|[IVX]{1,5})$/.test(word);
  return word === '1' && text.slice(start - 2, start) === ': ';
}

function isOpener(next: string, { openers }: SentenceWords): boolean {
  const word = lettersOf(next);
  return openers.has(word) && withoutOpening(next).charAt(word.length) !== '.';
}

/** The letters with which a word starts, after quotes and brackets. */
function lettersOf(next: string): string {
  return /^\p{L}*/u.exec(withoutOpening(next))?.[0] ?? '';
}

/** Whether a word starts in lower case as ordinary words do, unlike "p53", "mRNA" or "α-synuclein". */
function startsInLowerCase(next: string): boolean {
  const word = withoutOpening(next);
  const isEnumeration = next.startsWith('(') && /^\p{L}{1,4}\)/u.test(word);
  return /^\p{Ll}/u.test(word) && !isEnumeration && !LOWER_CASE_SYMBOL.test(word);
}

/** Symbols that stay in lower case at the start of a sentence. */
const LOWER_CASE_SYMBOL = new RegExp(
  [
    '^[µ\\p{Script=Greek}]',
    '^(?:alpha|beta|gamma|delta|epsilon|kappa|lambda|mu|sigma|tau|omega)(?!\\p{L})',
    // A capital or digit near the start: "p53", "mRNA", "c-Maf", "miR-203".
    '^[\\p{Ll}-]{1,8}[\\p{Lu}\\p{N}]',
  ].join('|'),
  'u',
);

function withoutOpening(word: string): string {
  return word.replace(OPENING_QUOTES_AND_BRACKETS, '');
}

/** The letters, digits and inner periods before `end`: "e.g" of "(e.g.". */
function wordBefore(text: string, end: number): LastWord {
  const startMin = Math.max(0, end - WORD_LENGTH_MAX);
  let start = end;
  while (start > startMin && /[\p{L}\p{M}\p{N}.]/u.test(text.charAt(start - 1))) start--;
  return { word: text.slice(start, Math.max(start, end)), start, before: text.charAt(start - 1) };
}

/** The text from `start` to the next white space. */
function wordAfter(text: string, start: number): string {
  const endMax = Math.min(text.length, start + WORD_LENGTH_MAX);
  let end = start;
  while (end < endMax && !isBlank(text, end)) end++;
  return text.slice(start, end);
}

function skipBlank(text: string, from: number): number {
  let position = from;
  while (position < text.length && isBlank(text, position)) position++;
  return position;
}

function isBlank(text: string, position: number): boolean {
  return /\s/.test(text.charAt(position));
}
