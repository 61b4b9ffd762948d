/**
 * What is left of a text that was cut: only sentences that stand in it whole. Engines shorten what
 * they show, and a sentence that an ellipsis cut off is nobody's sentence. Pure.
 */
import type { SentenceSpan } from '../../types.ts';

export type SplitSentences = (text: string) => SentenceSpan[];

/** A text together with its sentences. */
export interface Passage {
  text: string;
  sentences: readonly SentenceSpan[];
}

const ELLIPSIS = /\[?(?:…|\.{3,}|(?:\. ){2,}\.)\]?/g;
const ENDS_CUT = /(?:…|\.{3,}|(?:\. ){2,}\.)\]?["'”’)]*$/;
const STARTS_CUT = /^["'“‘(]*\[?(?:…|\.{3,}|(?:\. ){2,}\.)/;
const END_MARK = /[.?!。！？]["'”’»)\]]*$/;

/**
 * The whole sentences of an excerpt that an engine made: what touches an ellipsis, starts small or
 * lacks an end mark at its end is left out.
 */
export function wholeSentences(excerpt: string, split: SplitSentences): Passage {
  const fragments = excerpt.split(ELLIPSIS);
  const whole = fragments.flatMap((fragment, index) => {
    const sentences = sentencesOf(fragment, split);
    const first = sentences[0] ?? '';
    const isTornBefore = index > 0 || /^\p{Ll}/u.test(first);
    const inner = isTornBefore ? sentences.slice(1) : sentences;
    return END_MARK.test(inner.at(-1) ?? '') ? inner : inner.slice(0, -1);
  });
  return passageOf(whole);
}

/** Sentences that are known to be whole, as one text. */
export function passageOf(sentences: readonly string[]): Passage {
  let text = '';
  const spans = sentences.map((sentence) => {
    const start = text === '' ? 0 : text.length + 1;
    text = text === '' ? sentence : `${text} ${sentence}`;
    return { start, end: text.length };
  });
  return { text, sentences: spans };
}

/** An abstract without its last sentence where an ellipsis ends it, nor its first, likewise. */
export function withoutCutEnds(abstract: string, split: SplitSentences): string {
  const startsCut = STARTS_CUT.test(abstract);
  const endsCut = ENDS_CUT.test(abstract);
  if (!startsCut && !endsCut) return abstract;
  const spans = split(abstract);
  // An ellipsis before a capital is a sentence of its own, and the cut one is behind it.
  const isApart = !/[\p{L}\p{N}]/u.test(slice(abstract, spans[0]));
  const cutAtStart = startsCut ? (isApart ? 2 : 1) : 0;
  const kept = spans.slice(cutAtStart, endsCut ? -1 : undefined);
  return abstract.slice(kept[0]?.start ?? 0, kept.at(-1)?.end ?? 0);
}

/** Whether a title was cut, and so is no citation. */
export function isCut(text: string): boolean {
  return STARTS_CUT.test(text) || ENDS_CUT.test(text);
}

function sentencesOf(text: string, split: SplitSentences): string[] {
  return split(text).map((span) => slice(text, span));
}

function slice(text: string, span: SentenceSpan | undefined): string {
  return span === undefined ? '' : text.slice(span.start, span.end);
}
