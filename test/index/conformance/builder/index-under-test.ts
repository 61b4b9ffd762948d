/** What an index must offer for the tests of its builder. */

import type { KeptRecord } from '../../../../src/identity/kept-record.ts';
import type { IndexedChange } from '../../../../src/index/documents/make-change.ts';
import type { IndexBuilder } from '../../../../src/index/ports/index-builder.ts';
import type { IncomingRecord } from '../../../../src/index/records/plan-change.ts';
import { newRecord } from '../../../../src/index/records/stored-records.ts';
import { prepareDocument, withVectors } from '../../../../src/ingest/prepare.ts';
import { toyVector } from '../../memory-index.ts';

/** An index of its own with the toy model. */
export interface IndexUnderTest {
  /** Opens another builder of the same index. */
  open(): Promise<IndexBuilder>;
  content(): Promise<IndexContent>;
  close(): Promise<void>;
}

export type MakeIndex = () => Promise<IndexUnderTest>;

/** All that an index holds, without the numbers that it gives, in an order of its own. */
export interface IndexContent {
  documents: {
    id: string;
    title: string;
    abstract: string;
    year: number;
    authors: string;
    venue: string;
    hash: string;
    spans: string;
    /** The forward index entry. */
    entry: string;
    reason: string | null;
    /** Facets as three words. */
    facets: number[];
  }[];
  /** The ids of the documents of each term in the postings, by the term. */
  postings: [term: number, ids: string[]][];
  frequencies: [term: number, documents: number][];
  titleKeys: [key: number, id: string][];
  authorKeys: [key: number, id: string][];
  /** Source, part, hash, and the id of the document; null if the record waits. */
  records: [source: string, part: string | null, hash: string, id: string | null][];
  /** The number of keys of records. */
  recordKeys: number;
  totals: { documents: number; sentences: number; terms: number };
}

export function incomingOf(record: KeptRecord, path = 'toy.jsonl'): IncomingRecord {
  return newRecord(record, { path, format: 'toy' });
}

/** Plans a change and embeds the new texts. */
export async function planToy(
  builder: IndexBuilder,
  incoming: IncomingRecord,
): Promise<IndexedChange> {
  const planned = await builder.plan(incoming);
  const known = await builder.unitsOf(planned);
  const added = planned.documents.filter(({ keeps }) => keeps === undefined);
  const contents = added.map((one) => {
    const prepared = prepareDocument(one.document, { known });
    return [one, withVectors(prepared, prepared.texts.map(toyVector))] as const;
  });
  return { incoming, planned, contents: new Map(contents) };
}

/** Applies an incoming record. Returns its outcome, or 'stale'. */
export async function arrive(
  builder: IndexBuilder,
  record: KeptRecord,
  path?: string,
): Promise<string> {
  const change = await planToy(builder, incomingOf(record, path));
  const stale = await builder.apply([change], () => []);
  return stale.length > 0 ? 'stale' : change.planned.outcome;
}
