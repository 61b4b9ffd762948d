/** Writes the changes of a batch: a few statements for each table, in the order of their dependence. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import { authorKeysOf } from '../../identity/author-keys.ts';
import { hashKey, keysOf } from '../../identity/record-keys.ts';
import { dequantizeOwn, encodeEmbeddings, ownVectorOf } from '../dense/embeddings.ts';
import { allKeysOf } from '../documents/title-index.ts';
import { readLanguageAndField } from '../facets/facets.ts';
import { encodeForwardEntry } from '../forward-index.ts';
import { decodeTermVector, encodeTermVector } from '../lexical/term-vectors.ts';
import type { PlannedDocument } from '../records/plan-change.ts';
import { isNewFile, recordValues } from '../records/stored-records.ts';
import { encodeSpans } from '../sentence-spans.ts';
import { type BatchCounts, countDocument, storedTermsOf, writeCounts } from './batch-counts.ts';
import { writeCitations } from './citations.ts';
import type { IndexFacts } from './facts.ts';
import { writePaperChanges } from './paper-changes.ts';
import type { PendingChanges, PendingDocument } from './pending-changes.ts';
import { removeDocuments } from './remove-documents.ts';
import { insertRows, type Row, rowsOf, toJson } from './rows.ts';
import { numberFiles } from './source-files.ts';

/** Call it in the transaction that has locked the facts. */
export async function writeChanges(
  queries: Queries,
  pending: PendingChanges,
  facts: IndexFacts,
): Promise<void> {
  const counts = { frequencies: new Map(), documents: 0, sentences: 0, terms: 0 };
  const shardOf = (number: number): number => number % facts.shards;
  await removeRecords(queries, pending);
  await removeDocuments(queries, pending.removedDocuments, { facts, counts });
  await updateDocuments(queries, pending);
  await addDocuments(queries, pending.addedDocuments, { shardOf, counts });
  await writeWithheld(queries, pending, shardOf);
  await writeFacets(queries, pending, shardOf);
  await addRecords(queries, pending, shardOf);
  await writeCitations(queries, pending.citations);
  await writePaperChanges(queries, pending.paperChanges.values());
  await writeCounts(queries, counts, pending);
}

type ShardOf = (number: number) => number;

async function removeRecords(
  { query }: Queries,
  { removedRecords }: PendingChanges,
): Promise<void> {
  if (removedRecords.length === 0) return;
  const keys = removedRecords.flatMap(({ number, record }) =>
    keysOf(record).map((key) => ({ key: hashKey(key), record: number })),
  );
  await query(
    `DELETE FROM record_keys k USING ${rowsOf('record_keys')} r
     WHERE k.key = r.key AND k.record = r.record`,
    [toJson(keys)],
  );
  // As on SQLite, a change adds again what the other records of a document have.
  const authors = removedRecords.flatMap(({ document, record }) =>
    document === null ? [] : authorKeysOf([record]).map((key) => ({ key, document })),
  );
  await query(
    `DELETE FROM author_keys k USING ${rowsOf('author_keys')} r
     WHERE k.key = r.key AND k.document = r.document`,
    [toJson(authors)],
  );
  await query('DELETE FROM source_records WHERE number = ANY ($1::bigint[])', [
    removedRecords.map(({ number }) => number),
  ]);
}

/** What its records say of a document, but for its texts. */
function citedFields({ document, hash }: PlannedDocument): Row {
  const { id, year, authors, venue } = document;
  return { id, year, authors: JSON.stringify(authors), venue, content_hash: hash };
}

async function updateDocuments(
  { query }: Queries,
  { updatedDocuments }: PendingChanges,
): Promise<void> {
  if (updatedDocuments.length === 0) return;
  await query(
    `UPDATE documents d SET id = r.id, year = r.year, authors = r.authors, venue = r.venue,
       content_hash = r.content_hash
     FROM ${rowsOf('documents')} r WHERE d.number = r.number`,
    [toJson(updatedDocuments.map(({ number, planned }) => ({ number, ...citedFields(planned) })))],
  );
}

async function addDocuments(
  queries: Queries,
  added: readonly PendingDocument[],
  { shardOf, counts }: { shardOf: ShardOf; counts: BatchCounts },
): Promise<void> {
  const all = added.map((one) => {
    const { number: document, planned, content } = one;
    return { planned, content, at: { shard: shardOf(document), document }, ...derivedFrom(one) };
  });
  for (const { terms, content } of all) {
    countDocument(counts, { terms, sentences: content.spans.length }, 1);
  }
  const documents = all.map(({ planned, content, at: { shard, document: number } }) => {
    const { title, abstract } = planned.document;
    const spans = encodeSpans(content.spans);
    return { shard, number, title, abstract, ...citedFields(planned), sentence_spans: spans };
  });
  const entries = all.map(({ at, entry }) => ({ ...at, entry }));
  const vectors = all.map(({ at, own }) => ({ ...at, own }));
  const recent = all.map(({ at, terms }) => ({ ...at, terms: storedTermsOf(terms) }));
  const keys = all.flatMap(({ at, planned }) =>
    allKeysOf(planned.document.title).map((key) => ({ ...at, key })),
  );
  await insertRows(queries, 'documents', documents);
  await insertRows(queries, 'forward_index', entries);
  await insertRows(queries, 'vectors', vectors);
  await insertRows(queries, 'recent_terms', recent);
  await insertRows(queries, 'title_keys', keys);
}

function derivedFrom({ planned, content }: PendingDocument) {
  const { title, abstract } = planned.document;
  const terms = encodeTermVector(title, abstract, content.spans);
  const vectors = encodeEmbeddings(content.own, content.units);
  return {
    entry: encodeForwardEntry({ vectors, terms }),
    terms: decodeTermVector(terms),
    own: [...dequantizeOwn(ownVectorOf(vectors, content.own.length))],
  };
}

async function writeWithheld(
  queries: Queries,
  { withheld }: PendingChanges,
  shardOf: ShardOf,
): Promise<void> {
  if (withheld.size === 0) return;
  await queries.query('DELETE FROM withheld_documents WHERE document = ANY ($1::integer[])', [
    [...withheld.keys()],
  ]);
  const rows = [...withheld].flatMap(([document, reason]) =>
    reason === undefined ? [] : { shard: shardOf(document), document, reason },
  );
  await insertRows(queries, 'withheld_documents', rows);
}

async function writeFacets(
  queries: Queries,
  { facets }: PendingChanges,
  shardOf: ShardOf,
): Promise<void> {
  const rows = [...facets].map(([document, [first, venue, sources, last, citations]]) => ({
    shard: shardOf(document),
    document,
    year: first & 0xffff,
    type: (first >>> 16) & 0xff,
    flags: first >>> 24,
    venue: venue | 0,
    sources: sources | 0,
    ...readLanguageAndField(last),
    citations,
  }));
  await insertRows(
    queries,
    'document_facets',
    rows,
    `(document, shard) DO UPDATE SET year = excluded.year, type = excluded.type,
      flags = excluded.flags, venue = excluded.venue, sources = excluded.sources,
      language = excluded.language, field = excluded.field, citations = excluded.citations`,
  );
}

async function addRecords(
  queries: Queries,
  { addedRecords }: PendingChanges,
  shardOf: ShardOf,
): Promise<void> {
  const files = addedRecords.map(({ added }) => added.file).filter(isNewFile);
  const numberOf = await numberFiles(queries, files);
  // Records that wait are spread by their own numbers.
  const all = addedRecords.map((one) => {
    return { ...one, shard: shardOf(one.document?.number ?? one.number) };
  });
  const records = all.map(({ shard, number, added, document }) => ({
    shard,
    number,
    document: document?.number ?? WAITING,
    ...recordValues(added, document),
    file: isNewFile(added.file) ? numberOf(added.file) : added.file,
  }));
  const keys = all.flatMap(({ shard, number, added }) => {
    const hashes = new Set(keysOf(added.record).map(hashKey));
    return [...hashes].map((key) => ({ shard, key, record: number }));
  });
  const authors = all.flatMap(({ shard, added, document }) =>
    document === null
      ? []
      : authorKeysOf([added.record]).map((key) => ({ shard, key, document: document.number })),
  );
  await insertRows(queries, 'source_records', records);
  await insertRows(queries, 'record_keys', keys);
  await insertRows(queries, 'author_keys', authors, 'DO NOTHING');
}

/** In place of the document of a record that waits for its paper. */
const WAITING = -1;
