/**
 * Measures a sentence splitter against texts with annotated sentences. Pure.
 *
 * A boundary is the end offset of a sentence, in UTF-16 code units. Every splitter finds the end of
 * the last sentence, so F1 is given both without and with it.
 */
import type { SentenceSpan } from '../../types.ts';

/** A text with its annotated sentences in text order. */
export interface AnnotatedText {
  id: string;
  text: string;
  sentences: readonly string[];
}

/** The boundaries of one text according to the splitter and the annotation, without the last one. */
export interface BoundaryComparison {
  id: string;
  text: string;
  /** Boundaries that both have. */
  shared: number[];
  /** Boundaries that only the splitter has. */
  extra: number[];
  /** Boundaries that only the annotation has. */
  missed: number[];
}

/** Sums and ratios over many texts. Ratios are in [0,1]. */
export interface BoundaryMeasures {
  textCount: number;
  /** Texts with exactly the annotated boundaries. */
  exactCount: number;
  exactShare: number;
  sharedCount: number;
  extraCount: number;
  missedCount: number;
  precision: number;
  recall: number;
  f1: number;
  /** F1 with the end of every text counted as one more shared boundary. */
  f1WithFinal: number;
}

/** Compares `spans` with the annotation. Throws if an annotated sentence is not in the text. */
export function compareBoundaries(
  annotated: AnnotatedText,
  spans: readonly SentenceSpan[],
): BoundaryComparison {
  const gold = new Set(alignSentences(annotated).slice(0, -1));
  const found = new Set(spans.slice(0, -1).map((span) => span.end));
  return {
    id: annotated.id,
    text: annotated.text,
    shared: [...found].filter((end) => gold.has(end)),
    extra: [...found].filter((end) => !gold.has(end)),
    missed: [...gold].filter((end) => !found.has(end)),
  };
}

/** Adds up comparisons as a micro-average: each boundary has the same weight. */
export function measureBoundaries(comparisons: readonly BoundaryComparison[]): BoundaryMeasures {
  const textCount = comparisons.length;
  const exactCount = comparisons.filter((c) => c.extra.length + c.missed.length === 0).length;
  const sharedCount = sum(comparisons.map((c) => c.shared.length));
  const extraCount = sum(comparisons.map((c) => c.extra.length));
  const missedCount = sum(comparisons.map((c) => c.missed.length));
  return {
    textCount,
    exactCount,
    exactShare: ratio(exactCount, textCount),
    sharedCount,
    extraCount,
    missedCount,
    precision: ratio(sharedCount, sharedCount + extraCount),
    recall: ratio(sharedCount, sharedCount + missedCount),
    f1: ratio(2 * sharedCount, 2 * sharedCount + extraCount + missedCount),
    f1WithFinal: ratio(
      2 * (sharedCount + textCount),
      2 * (sharedCount + textCount) + extraCount + missedCount,
    ),
  };
}

/** The end offsets of the annotated sentences, which are searched for one after the other. */
function alignSentences({ id, text, sentences }: AnnotatedText): number[] {
  const ends: number[] = [];
  let position = 0;
  for (const sentence of sentences.map((sentence) => sentence.trim())) {
    const start = text.indexOf(sentence, position);
    if (start < 0) {
      throw new Error(`text ${id}: sentence not found after offset ${position}: "${sentence}"`);
    }
    position = start + sentence.length;
    ends.push(position);
  }
  return ends;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The ratio, or 1 if there is nothing to divide by: no boundary could be missed. */
function ratio(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}
