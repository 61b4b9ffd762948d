/** One hash over all answers, so that no version gets faster by answering differently. Pure. */
import { createHash } from 'node:crypto';
import type { Answered } from '../measure/clients.ts';

/** Returns a hexadecimal SHA-256 over each query and `d`, `s` and `q` of its results, in order. */
export function hashAnswers(answered: readonly Answered[]): string {
  const hash = createHash('sha256');
  for (const { query, answer } of answered) {
    const results = answer.results.map(({ d, s, q }) => [d, s, q]);
    hash.update(`${JSON.stringify([query, results])}\n`);
  }
  return hash.digest('hex');
}
