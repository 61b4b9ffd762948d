/** Finds the papers that printed references in lists of citations mean. */
import type { CitationLists } from '../search/papers/citation-lists.ts';
import type { OpenVerify } from './open-verify.ts';
import type { ReferenceResult } from './references/verify-reference.ts';

/** The verdicts of a reference whose paper is known. */
const FOUND: readonly string[] = ['match', 'match_unverified', 'match_with_errors'];

/**
 * Adds `verdict`, `d`, and `t` to each printed reference that means a paper of the index. Rejects as `verify`
 * does.
 */
export async function matchPrinted(
  lists: readonly CitationLists[],
  verify: OpenVerify['verify'],
): Promise<void> {
  const listed = lists.flatMap(({ references }) => references?.papers ?? []);
  const printed = listed.filter((entry) => 'text' in entry);
  if (printed.length === 0) return;
  const results = await verify(printed.map(({ text }) => ({ reference: text })));
  for (const [at, { verdict, d, t }] of (results as ReferenceResult[]).entries()) {
    if (FOUND.includes(verdict)) Object.assign(printed[at] as object, { verdict, d, t });
  }
}
