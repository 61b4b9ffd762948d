/** Measures how well the quoted sentences of documents are those that annotators marked. Pure. */

export interface Evidence {
  query: string;
  document: string;
  sentences: string[];
}

export interface EvidenceMeasure {
  /** The annotated pairs of query and document that are among the results. */
  pairs: number;
  /** The share of these pairs whose first quote is an annotated sentence. */
  share: number;
  /** The share of all quotes that are annotated sentences. */
  precision: number;
  /** The share of all annotated sentences that are quoted. */
  recall: number;
  /** The harmonic mean of precision and recall. */
  f1: number;
}

/**
 * `quotes` has, for each query, the quotes of each document in its results, the best first. All pairs
 * count together (micro-average), and 0 stands for a mean of nothing.
 */
export function evaluateEvidence(
  quotes: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>,
  evidence: readonly Evidence[],
): EvidenceMeasure {
  const counts = { pairs: 0, hits: 0, quoted: 0, quotedRightly: 0, annotated: 0, found: 0 };
  for (const { query, document, sentences } of evidence) {
    const quoted = quotes.get(query)?.get(document);
    if (quoted === undefined) continue;
    const areRight = quoted.map((quote) => sentences.some((sentence) => isSame(quote, sentence)));
    const areFound = sentences.map((sentence) => quoted.some((quote) => isSame(quote, sentence)));
    counts.pairs++;
    if (areRight[0] === true) counts.hits++;
    counts.quoted += quoted.length;
    counts.quotedRightly += areRight.filter(Boolean).length;
    counts.annotated += sentences.length;
    counts.found += areFound.filter(Boolean).length;
  }
  const precision = ratio(counts.quotedRightly, counts.quoted);
  const recall = ratio(counts.found, counts.annotated);
  const f1 = ratio(2 * precision * recall, precision + recall);
  return { pairs: counts.pairs, share: ratio(counts.hits, counts.pairs), precision, recall, f1 };
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** Annotators may split elsewhere than we do, so a sentence within the other counts as the same. */
function isSame(quote: string, sentence: string): boolean {
  const [a, b] = [fold(quote), fold(sentence)];
  return a.includes(b) || b.includes(a);
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
