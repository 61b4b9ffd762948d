/** Relevance judgements: a TSV with the header query-id, corpus-id, score (BEIR's form). */
import { VerbatimError } from '../errors.ts';
import { readText } from './read-text.ts';

/** Grade of a document for a query; absent: not relevant. */
export type Qrels = Map<string, Map<string, number>>;

/** Throws `unreadable_input` naming the line that is no judgement. */
export async function readQrels(path: string): Promise<Qrels> {
  return parseQrels(await readText(path), path);
}

export function parseQrels(text: string, path: string): Qrels {
  const qrels: Qrels = new Map();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || (index === 0 && line.startsWith('query-id'))) continue;
    const [query, document, grade] = line.split('\t');
    if (query === undefined || document === undefined || !/^-?\d+$/.test(grade ?? '')) {
      throw new VerbatimError(
        'unreadable_input',
        `${path}:${index + 1}: expected query-id, corpus-id and score, separated by tabs`,
      );
    }
    const grades = qrels.get(query) ?? new Map<string, number>();
    grades.set(document, Number(grade));
    qrels.set(query, grades);
  }
  return qrels;
}
