/** Finds the papers that printed references in a list of citations mean, by the rules of verification. */
import { VerbatimError } from '../errors.ts';
import type { DescribedPapers } from '../search/papers/describe-paper.ts';
import type { PapersAnswer } from '../search/threads/search-worker.ts';
import type { ReferenceResult } from '../verify/references/verify-reference.ts';
import type { ServiceDeps } from './service-deps.ts';

/** The verdicts of a reference whose paper is known. */
const FOUND: readonly string[] = ['match', 'match_unverified', 'match_with_errors'];

/**
 * Returns papers with `verdict`, `d`, and `t` at each printed reference that means a paper of the index. They
 * are as they were while verification is too busy or cannot read the index.
 */
export async function matchPrinted(
  { verify }: Pick<ServiceDeps, 'verify'>,
  found: PapersAnswer,
  customerId: number,
): Promise<PapersAnswer> {
  const described = JSON.parse(found.text) as DescribedPapers;
  const listed = described.papers.flatMap(({ references }) => references?.papers ?? []);
  const printed = listed.filter((entry) => 'text' in entry);
  if (printed.length === 0) return found;
  const items = printed.map(({ text }) => ({ reference: text }));
  try {
    const { json } = await verify({ items }, customerId);
    const results = (JSON.parse(json) as { items: ReferenceResult[] }).items;
    for (const [at, { verdict, d, t }] of results.entries()) {
      if (FOUND.includes(verdict)) Object.assign(printed[at] as object, { verdict, d, t });
    }
  } catch (error) {
    if (error instanceof VerbatimError) return found;
    throw error;
  }
  return { ...found, text: JSON.stringify(described) };
}
