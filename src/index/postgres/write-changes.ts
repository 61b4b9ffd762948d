/** Writes the changes of a batch: a few statements for each table, in the order of their dependence. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import { hashKey, keysOf } from '../../identity/record-keys.ts';
import type { DocumentNumber } from '../../types.ts';
import { dequantizeOwn, encodeEmbeddings, ownVectorOf } from '../dense/embeddings.ts';
import { allKeysOf } from '../documents/title-index.ts';
import { readLanguageAndField } from '../facets/facets.ts';
import { encodeForwardEntry } from '../forward-index.ts';
import { decodeTermVector, encodeTermVector, type TermVector } from '../lexical/term-vectors.ts';
import { recordValues } from '../records/stored-records.ts';
import { encodeSpans } from '../sentence-spans.ts';
import { type BatchCounts, startCounts, writeCounts } from './batch-counts.ts';
import type { IndexFacts } from './facts.ts';
import type { PendingChanges, PendingDocument } from './pending-changes.ts';
import { numberFiles } from './postgres-source-files.ts';
import { removeDocuments } from './remove-documents.ts';
import { insertRows, rowsAsTable } from './rows.ts';
import { storedTermsOf } from './stored-terms.ts';

/** Call it in the transaction that has locked the facts. */
export async function writeChanges(
  queries: Queries,
  pending: PendingChanges,
  facts: IndexFacts,
): Promise<void> {
  const counts = startCounts();
  await removeRecords(queries, pending);
  await removeDocuments(queries, pending.removedDocuments, { facts, counts });
  await updateDocuments(queries, pending);
  await addDocuments(queries, pending.addedDocuments, { facts, counts });
  await writeWithheld(queries, pending, facts);
  await writeFacets(queries, pending, facts);
  await addRecords(queries, pending, facts);
  await writeCounts(queries, counts, pending);
}

async function removeRecords(
  { query }: Queries,
  { removedRecords }: PendingChanges,
): Promise<void> {
  if (removedRecords.length === 0) return;
  const keys = removedRecords.flatMap(({ number, record }) =>
    keysOf(record).map((key) => [hashKey(key), number] as const),
  );
  const { table, values } = rowsAsTable({ key: 'bigint', record: 'bigint' }, keys);
  await query(
    `DELETE FROM record_keys k USING ${table} WHERE k.key = r.key AND k.record = r.record`,
    values,
  );
  await query('DELETE FROM source_records WHERE number = ANY ($1::bigint[])', [
    removedRecords.map(({ number }) => number),
  ]);
}

async function updateDocuments(
  { query }: Queries,
  { updatedDocuments }: PendingChanges,
): Promise<void> {
  if (updatedDocuments.length === 0) return;
  const columns = {
    number: 'integer',
    id: 'text',
    year: 'integer',
    authors: 'text',
    venue: 'text',
    content_hash: 'bytea',
  };
  const rows = updatedDocuments.map(({ number, planned: { document, hash } }) => {
    const { id, year, authors, venue } = document;
    return [number, id, year, JSON.stringify(authors), venue, hash];
  });
  const { table, values } = rowsAsTable(columns, rows);
  await query(
    `UPDATE documents d SET id = r.id, year = r.year, authors = r.authors, venue = r.venue,
       content_hash = r.content_hash
     FROM ${table} WHERE d.number = r.number`,
    values,
  );
}

interface Context {
  facts: IndexFacts;
  counts: BatchCounts;
}

async function addDocuments(
  queries: Queries,
  added: readonly PendingDocument[],
  { facts, counts }: Context,
): Promise<void> {
  const shardOf = (number: DocumentNumber): number => number % facts.shards;
  const derived = added.map((one) => ({ ...one, ...derivedFrom(one) }));
  for (const { terms, content } of derived) counts.count(terms, content.spans.length, 1);
  const shard = { shard: 'smallint' };
  await insertRows(queries, {
    into: 'documents',
    columns: {
      ...shard,
      number: 'integer',
      id: 'text',
      title: 'text',
      abstract: 'text',
      year: 'integer',
      authors: 'text',
      venue: 'text',
      content_hash: 'bytea',
      sentence_spans: 'bytea',
    },
    rows: added.map(({ number, planned: { document, hash }, content: { spans } }) => {
      const { id, title, abstract, year, authors, venue } = document;
      const texts = [id, title, abstract, year, JSON.stringify(authors), venue];
      return [shardOf(number), number, ...texts, hash, encodeSpans(spans)];
    }),
  });
  await insertRows(queries, {
    into: 'forward_index',
    columns: { ...shard, document: 'integer', entry: 'bytea' },
    rows: derived.map(({ number, entry }) => [shardOf(number), number, entry]),
  });
  await insertRows(queries, {
    into: 'vectors',
    columns: { ...shard, document: 'integer', own: 'halfvec' },
    rows: derived.map(({ number, own }) => [shardOf(number), number, own]),
  });
  await insertRows(queries, {
    into: 'recent_terms',
    columns: { ...shard, document: 'integer', terms: 'integer[]' },
    rows: derived.map(({ number, terms }) => [
      ...[shardOf(number), number],
      `{${storedTermsOf(terms).join()}}`,
    ]),
  });
  await insertRows(queries, {
    into: 'title_keys',
    columns: { ...shard, key: 'bigint', document: 'integer' },
    rows: added.flatMap(({ number, planned }) =>
      allKeysOf(planned.document.title).map((key) => [shardOf(number), key, number]),
    ),
  });
}

function derivedFrom({ planned, content }: PendingDocument): {
  entry: Buffer;
  terms: TermVector;
  own: string;
} {
  const { title, abstract } = planned.document;
  const terms = encodeTermVector(title, abstract, content.spans);
  const vectors = encodeEmbeddings(content.own, content.units);
  const own = dequantizeOwn(ownVectorOf(vectors, content.own.length));
  return {
    entry: encodeForwardEntry({ vectors, terms }),
    terms: decodeTermVector(terms),
    own: `[${own.join()}]`,
  };
}

async function writeWithheld(
  queries: Queries,
  { withheld }: PendingChanges,
  { shards }: IndexFacts,
): Promise<void> {
  if (withheld.size === 0) return;
  await queries.query('DELETE FROM withheld_documents WHERE document = ANY ($1::integer[])', [
    [...withheld.keys()],
  ]);
  await insertRows(queries, {
    into: 'withheld_documents',
    columns: { shard: 'smallint', document: 'integer', reason: 'text' },
    rows: [...withheld].flatMap(([number, reason]) =>
      reason === undefined ? [] : [[number % shards, number, reason]],
    ),
  });
}

async function writeFacets(
  queries: Queries,
  { facets }: PendingChanges,
  { shards }: IndexFacts,
): Promise<void> {
  await insertRows(queries, {
    into: 'document_facets',
    columns: {
      shard: 'smallint',
      document: 'integer',
      year: 'integer',
      type: 'smallint',
      flags: 'smallint',
      venue: 'integer',
      sources: 'integer',
      language: 'smallint',
      field: 'smallint',
    },
    rows: [...facets].map(([number, [first, venue, sources, last]]) => {
      const yearTypeAndFlags = [first & 0xffff, (first >>> 16) & 0xff, first >>> 24];
      const { language, field } = readLanguageAndField(last);
      const others = [venue | 0, sources | 0, language, field];
      return [number % shards, number, ...yearTypeAndFlags, ...others];
    }),
    conflict: `(document, shard) DO UPDATE SET year = excluded.year, type = excluded.type,
      flags = excluded.flags, venue = excluded.venue, sources = excluded.sources,
      language = excluded.language, field = excluded.field`,
  });
}

async function addRecords(
  queries: Queries,
  { addedRecords }: PendingChanges,
  { shards }: IndexFacts,
): Promise<void> {
  const named = addedRecords.flatMap(({ added: { file } }) =>
    typeof file === 'object' && file !== null ? [file] : [],
  );
  const numberOf = await numberFiles(queries, named);
  // Records that wait are spread by their own numbers.
  const shardOf = ({ number, document }: (typeof addedRecords)[number]): number =>
    (document?.number ?? number) % shards;
  await insertRows(queries, {
    into: 'source_records',
    columns: {
      shard: 'smallint',
      number: 'bigint',
      document: 'integer',
      source: 'text',
      part: 'text',
      hash: 'bytea',
      updated_at: 'bigint',
      withheld: 'text',
      identifiers: 'text',
      fields: 'text',
      file: 'integer',
      notice: 'text',
      details: 'text',
    },
    rows: addedRecords.map((one) => {
      const { number, added, document } = one;
      const { file } = added;
      const values = recordValues(added, document);
      const { source, part, hash, updatedAt, withheld, identifiers, fields } = values;
      return [
        ...[shardOf(one), number, document?.number ?? WAITING, source, part, hash, updatedAt],
        ...[withheld, identifiers, fields],
        typeof file === 'object' && file !== null ? numberOf(file) : file,
        ...[values.notice, values.details],
      ];
    }),
  });
  await insertRows(queries, {
    into: 'record_keys',
    columns: { shard: 'smallint', key: 'bigint', record: 'bigint' },
    rows: addedRecords.flatMap((one) => {
      const hashes = new Set(keysOf(one.added.record).map(hashKey));
      return [...hashes].map((key) => [shardOf(one), key, one.number]);
    }),
  });
}

/** In place of the document of a record that waits for its paper. */
const WAITING = -1;
