/** Rankings of a system, and TREC's form of them. */

export interface RunEntry {
  id: string;
  score: number;
}

/** For each query its documents, best first. */
export type Run = Map<string, RunEntry[]>;

const RUN_NAME = 'verbatim';
/** More digits than a customer sees: tools that read a run break ties in their own way. */
const SCORE_DIGITS = 9;

/** One line a result: query, Q0, document, rank from 1, score, name of the run. */
export function formatRun(run: Run): string {
  const lines: string[] = [];
  for (const [query, entries] of run) {
    for (const [index, { id, score }] of entries.entries()) {
      const fields = [query, 'Q0', id, index + 1, score.toFixed(SCORE_DIGITS), RUN_NAME];
      lines.push(fields.join(' '));
    }
  }
  return lines.map((line) => `${line}\n`).join('');
}
