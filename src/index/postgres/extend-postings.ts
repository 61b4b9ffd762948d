/** Extends the postings to the newest documents, a round of them in a transaction. */

import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import type { DocumentNumber } from '../../types.ts';
import { additionsOf } from '../lexical/extend-postings.ts';
import { blockOf, encodeBlock } from '../lexical/postings.ts';
import { lockFacts } from './facts.ts';
import { insertRows } from './rows.ts';

/** A round takes about a second, in which other writers wait. */
const DOCUMENTS_PER_ROUND = 2048;
/** Lists that one statement extends. */
const LISTS_PER_STATEMENT = 20_000;

interface RecentDocument {
  document: DocumentNumber;
  terms: number[];
}

/** Yields the finished share of the documents. The caller may stop at any point. */
export async function* extendPostings(
  database: Pick<Database, 'transaction'>,
): AsyncGenerator<number> {
  for (;;) {
    const share = await database.transaction(extendOnce);
    if (share === undefined) return;
    yield share;
  }
}

/** Returns the share that the postings cover, undefined if they covered all documents before. */
async function extendOnce(queries: Queries): Promise<number | undefined> {
  const { shards, indexedUpTo, lastDocument } = await lockFacts(queries);
  const recent = await queries.query<RecentDocument>(
    'SELECT document, terms FROM recent_terms ORDER BY document LIMIT $1',
    [DOCUMENTS_PER_ROUND],
  );
  const [first] = recent;
  if (first === undefined) return undefined;
  // A round stays within one block.
  const round = recent.filter(({ document }) => blockOf(document) === blockOf(first.document));
  const last = round.at(-1)?.document ?? indexedUpTo;
  for (let shard = 0; shard < shards; shard++) {
    const own = round.filter(({ document }) => document % shards === shard);
    await append(queries, own, { shard, block: blockOf(first.document) });
  }
  await queries.query('DELETE FROM recent_terms WHERE document <= $1', [last]);
  await queries.query('UPDATE index_facts SET indexed_up_to = $1, revision = revision + 1', [last]);
  return last / Math.max(last, lastDocument);
}

async function append(
  queries: Queries,
  round: readonly RecentDocument[],
  { shard, block }: { shard: number; block: number },
): Promise<void> {
  const vectors = round.map(({ terms }) => ({ terms, size: terms.length }));
  const documents = round.map(({ document }) => document);
  const additions = additionsOf(documents, vectors, ({ terms }, at) => (terms[at] as number) >>> 0);
  for (let at = 0; at < additions.length; at += LISTS_PER_STATEMENT) {
    const some = additions.slice(at, at + LISTS_PER_STATEMENT);
    await insertRows(
      queries,
      'postings',
      some.map(({ term, documents: added }) => {
        return { shard, term: term | 0, block, documents: encodeBlock(added) };
      }),
      // Documents of a round come after all that the block has.
      '(term, block, shard) DO UPDATE SET documents = postings.documents || excluded.documents',
    );
  }
}
