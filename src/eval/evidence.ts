/** How often the sentence that is quoted of a document is one that annotators marked. */
import { readJsonRecords } from './json-records.ts';

export interface Evidence {
  query: string;
  document: string;
  sentences: string[];
}

export interface EvidenceMeasure {
  /** Annotated pairs of query and document among the results. */
  pairs: number;
  /** The share of them whose quote is an annotated sentence. */
  share: number;
}

/** JSON Lines with query_id, doc_id and sentences. */
export async function readEvidence(path: string): Promise<Evidence[]> {
  const records = await readJsonRecords<{
    query_id: string | number;
    doc_id: string | number;
    sentences: string[];
  }>(path);
  return records.map(({ query_id, doc_id, sentences }) => ({
    query: String(query_id),
    document: String(doc_id),
    sentences,
  }));
}

/** `quotes`: for each query, the quote of each document in its results. */
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

/** Annotators' sentences may be cut elsewhere than ours: one within the other is the same. */
function isSame(quote: string, sentence: string): boolean {
  const [a, b] = [fold(quote), fold(sentence)];
  return a.includes(b) || b.includes(a);
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
