/**
 * Finds the whole sentences of a text that a search engine cut. A sentence that an ellipsis cuts is
 * not the author's sentence and must not be quoted.
 */
import type { SentenceSpan } from '../../types.ts';
import type { Passage } from '../lane/lane.ts';

export type SplitSentences = (text: string) => SentenceSpan[];

const ELLIPSIS = /\[?(?:…|\.{3,}|(?:\. ){2,}\.)\]?/g;
const ENDS_CUT = /(?:…|\.{3,}|(?:\. ){2,}\.)\]?["'”’)]*$/;
const STARTS_CUT = /^["'“‘(]*\[?(?:…|\.{3,}|(?:\. ){2,}\.)/;
const END_MARK = /[.?!。！？]["'”’»)\]]*$/;

/**
 * The whole sentences of an excerpt. It drops a sentence that touches an ellipsis, a first one that
 * starts with a lower-case letter, and a last one without an end mark.
 */
export function wholeSentences(excerpt: string, split: SplitSentences): Passage {
  const fragments = excerpt.split(ELLIPSIS);
  const whole = fragments.flatMap((fragment, index) => {
    const sentences = sentencesOf(fragment, split);
    const first = sentences[0] ?? '';
    const isCutBefore = index > 0 || /^\p{Ll}/u.test(first);
    const inner = isCutBefore ? sentences.slice(1) : sentences;
    return END_MARK.test(inner.at(-1) ?? '') ? inner : inner.slice(0, -1);
  });
  return passageOf(whole);
}

/** One text of sentences that are known to be whole. */
export function passageOf(sentences: readonly string[]): Passage {
  let text = '';
  const spans = sentences.map((sentence) => {
    const start = text === '' ? 0 : text.length + 1;
    text = text === '' ? sentence : `${text} ${sentence}`;
    return { start, end: text.length };
  });
  return { text, sentences: spans };
}

/** An abstract without its first or last sentence if an ellipsis cuts it. */
export function withoutCutEnds(abstract: string, split: SplitSentences): string {
  const startsCut = STARTS_CUT.test(abstract);
  const endsCut = ENDS_CUT.test(abstract);
  if (!startsCut && !endsCut) return abstract;
  const spans = split(abstract);
  // An ellipsis before a capital letter is split off as a sentence, and the cut one follows it.
  const isApart = !/[\p{L}\p{N}]/u.test(slice(abstract, spans[0]));
  const cutAtStart = startsCut ? (isApart ? 2 : 1) : 0;
  const kept = spans.slice(cutAtStart, endsCut ? -1 : undefined);
  return abstract.slice(kept[0]?.start ?? 0, kept.at(-1)?.end ?? 0);
}

/** Whether a title was cut. A cut title is not a citation. */
export function isCut(text: string): boolean {
  return STARTS_CUT.test(text) || ENDS_CUT.test(text);
}

function sentencesOf(text: string, split: SplitSentences): string[] {
  return split(text).map((span) => slice(text, span));
}

function slice(text: string, span: SentenceSpan | undefined): string {
  return span === undefined ? '' : text.slice(span.start, span.end);
}
