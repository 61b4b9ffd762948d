/**
 * Removes what publishers and databases add to an abstract: copyright and license notices, the
 * heading "Abstract", and marks such as "[ABSTRACT FROM AUTHOR]". Pure.
 *
 * Losing a sentence is worse than quoting a notice. So a copyright notice may contain nothing but
 * names, years and a few function words: "Copyright 1998 amendments changed little" and "© is a
 * symbol" stay.
 */
import type { SentenceSpan } from '../types.ts';
import { isAbstractHeading, leadingHeadingLength } from './abstract-heading.ts';

const LENGTH_MAX = 600;

/** Words in lower case that a notice may contain besides names, years and signs. */
const NOTICE_WORDS: ReadonlySet<string> = new Set(
  `a al all an and author author(s) authors behalf by company copyright de der des e.v
  employer(s) et exclusive exclusively for from in its la le licence license licensed licensee of on or published
  publisher reserved rights the their to under und van von with`.split(/\s+/),
);

/** A copyright mark. The word alone, or "(c)" as in a list, counts only before a year. */
const COPYRIGHT =
  /^(?:crown\s+)?(?:copyright\b[:,]?\s*(?:©|℗|\(c\)|(?=(?:19|20)\d\d\b))|©|℗|\(c\)(?=\s*(?:19|20)\d\d\b))\s*/i;

/** How other notices begin, before the names. */
const OTHER_NOTICES = [
  /^(?:published|produced|hosted|produc(?:ed|tion) and host(?:ed|ing)|hosting)\s+(?:online\s+)?(?:(?:in\s+)?(?:19|20)\d\d\s+)?(?:by|under\s+licen[cs]e\s+(?:by|from|to))\s+/i,
  /^the\s+author(?:s|\(s\))?,?\s+under\s+(?:an\s+)?exclusive\s+licen[cs]e\s+to\s+/i,
  /^licensee\s+/i,
];

/** Sentences with fixed wording or a fixed beginning. */
const FIXED = [
  // The address of the paper itself.
  /^(?:doi:?\s*(?:https?:\/\/|10\.\d{4,9}\/)|https?:\/\/(?:dx\.)?doi\.org\/)\S+$/i,
  /^all rights reserved$/i,
  /^the author(?:s|\(s\))$/i,
  /^published(?: online)? (?:19|20)\d\d$/i,
  /^(?:no commercial re-?use|see rights and permissions|re-?use permitted under cc[ -]by\b.{0,20})$/i,
  /^for permissions,? please e-?mail\b/i,
  /^this article is protected by copyright$/i,
  /^this article is a u\.?\s?s\.? government work\b/i,
  /^no claim to original u\.?\s?s\.? government works$/i,
  new RegExp(
    '^this (?:(?:article|work|paper|chapter) is (?:an? )?|is an? )open[- ]access' +
      '(?: (?:article|paper|publication|work|chapter))?,?(?: (?:and|that|which) is| is)?' +
      '(?: (?:freely|made|also))?(?: (?:available|distributed|published|licensed|provided))?,? ' +
      '(?:under|in accordance with) .*(?:licen[cs]e|creative commons|\\bcc[ -]by\\b|\\bterms\\b)',
    'i',
  ),
  /^this (?:article|work|paper) is (?:distributed|licensed|published|made available) under (?:the terms of )?(?:the |an? )?(?:creative commons|cc[ -]by)\b/i,
  /^psyc\w+ database record\b/i,
  /^abstract (?:from (?:authors?|publisher)|truncated(?: at \d+ words)?)$/i,
  /^copyright of .+ is the property of .+ and its content may not be copied\b/i,
  /^copyright applies to all abstracts$/i,
  /^however, users may print, download, or e-?mail articles for individual use$/i,
  /^this abstract may be abridged$/i,
  /^no warranty is given about the accuracy of the copy$/i,
  /^users should refer to the original published version of the material for the full abstract$/i,
];

const LEADING_MARK = /^\[abstract from \w+\]\s*/i;
const TRAILING_MARK = /\s*[([]abstract (?:from|truncated)[^()[\]]{0,40}[)\]]\.?$/i;
const TRAILING_COPYRIGHT = /\s+(?:(?:crown\s+)?copyright[:,]?\s*)?©\s*(?:19|20)\d\d\b[^©]{0,200}$/i;

/** Whether a sentence is a heading, or only says who published the paper and who may copy it. */
export function isBoilerplate(sentence: string): boolean {
  if (sentence.length > LENGTH_MAX) return false;
  const core = sentence.replace(/^(?:[([{*"“](?!c\))\s*)+|[\s)\]}*"”.–—-]+$/gi, '');
  if (isAbstractHeading(core)) return true;
  if (FIXED.some((pattern) => pattern.test(core))) return true;
  return [COPYRIGHT, ...OTHER_NOTICES].some((notice) => {
    const [start] = notice.exec(core) ?? [];
    return start !== undefined && hasOnlyNames(core.slice(start.length));
  });
}

/**
 * The sentences of a text that are not boilerplate, each without a heading or mark before or after
 * it.
 */
export function withoutBoilerplate(text: string, spans: readonly SentenceSpan[]): SentenceSpan[] {
  return spans.flatMap((span, index) => {
    const body = withoutHeading(text, span, index === 0);
    if (isBoilerplate(text.slice(body.start, body.end))) return [];
    const own = withoutTrailing(text, body);
    return own.start < own.end && !isBoilerplate(text.slice(own.start, own.end)) ? [own] : [];
  });
}

function withoutHeading(text: string, { start, end }: SentenceSpan, isFirst: boolean) {
  const sentence = text.slice(start, end);
  const mark = LEADING_MARK.exec(sentence)?.[0].length;
  return { start: start + (mark ?? (isFirst ? leadingHeadingLength(sentence) : 0)), end };
}

function withoutTrailing(text: string, { start, end }: SentenceSpan): SentenceSpan {
  // Searches only near the end, because a sentence may be as long as an abstract.
  const tail = text.slice(Math.max(start, end - LENGTH_MAX), end);
  const [mark = ''] = TRAILING_MARK.exec(tail) ?? [];
  const [notice = ''] = TRAILING_COPYRIGHT.exec(tail) ?? [];
  const trailing = mark === '' && isBoilerplate(notice.trim()) ? notice : mark;
  return { start, end: end - trailing.length };
}

/** Whether all words are names, years, signs, or among NOTICE_WORDS. */
function hasOnlyNames(text: string): boolean {
  return text
    .split(/[\s,;:/]+/)
    .map((word) => word.replace(/^["“([]+|[.)\]"”]+$/g, ''))
    .every(
      (word) =>
        !/^\p{Ll}/u.test(word) ||
        NOTICE_WORDS.has(word) ||
        NOTICE_WORDS.has(`${word})`) ||
        /^\p{Ll}\p{Lu}/u.test(word),
    );
}
