/** Measures how often the quoted sentence of a document is one that annotators marked. Pure. */

export interface Evidence {
  query: string;
  document: string;
  sentences: string[];
}

export interface EvidenceMeasure {
  /** The annotated pairs of query and document that are among the results. */
  pairs: number;
  /** The share of these pairs whose quote is an annotated sentence. */
  share: number;
}

/** `quotes` has, for each query, the quote of each document in its results. */
export function evaluateEvidence(
  quotes: ReadonlyMap<string, ReadonlyMap<string, string>>,
  evidence: readonly Evidence[],
): EvidenceMeasure {
  let pairs = 0;
  let hits = 0;
  for (const { query, document, sentences } of evidence) {
    const quote = quotes.get(query)?.get(document);
    if (quote === undefined) continue;
    pairs++;
    if (sentences.some((sentence) => isSame(quote, sentence))) hits++;
  }
  return { pairs, share: pairs === 0 ? 0 : hits / pairs };
}

/** Annotators may split elsewhere than we do, so a sentence within the other counts as the same. */
function isSame(quote: string, sentence: string): boolean {
  const [a, b] = [fold(quote), fold(sentence)];
  return a.includes(b) || b.includes(a);
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
