/**
 * Measures a sentence splitter against texts whose sentences are annotated. Pure: it knows neither
 * where the texts come from nor which splitter made the spans.
 *
 * A boundary is the end offset of a sentence, in UTF-16 code units. The end of the last sentence
 * of a text is found by any splitter, so the counts come both without and with it.
 */
import type { SentenceSpan } from '../types.ts';

/** One text with its annotated sentences, which follow each other in the text. */
export interface AnnotatedText {
  id: string;
  text: string;
  sentences: readonly string[];
}

/** What a splitter found in one text, compared with the annotation. */
export interface BoundaryComparison {
  id: string;
  text: string;
  /** Boundaries inside the text that both have. */
  shared: number[];
  /** Boundaries inside the text that only the splitter has. */
  extra: number[];
  /** Boundaries inside the text that only the annotation has. */
  missed: number[];
}

/** Sums and ratios over many texts. Ratios are between 0 and 1. */
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
  /** The same F1 with the end of every text counted as one more shared boundary. */
  f1WithFinal: number;
}

/** Compares the inner boundaries of `spans` with those of the annotation. */
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

/** Adds up comparisons (micro-average: each boundary weighs the same, whatever its text). */
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

/** End offsets of the annotated sentences, found one after the other in the text. */
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

/** A ratio of nothing is perfect: no boundary was there to miss. */
function ratio(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}
