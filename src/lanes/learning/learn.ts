/**
 * Learning: documents of lanes join the index, as those of a file do. The index then answers the
 * same question the next time. A document of a paper that the index has, under whatever id, is
 * skipped.
 */

import { openExistingStore } from '../../database/open.ts';
import { isBusy, type OpenOptions } from '../../database/sqlite/connect.ts';
import { createIndexWriter, type IndexWriter } from '../../index/documents/index-writer.ts';
import type { IndexedChange, PlannedChange } from '../../index/documents/make-change.ts';
import { claimModel } from '../../index/index-facts.ts';
import type { IncomingRecord, PlannedDocument } from '../../index/records/plan-change.ts';
import { newRecord } from '../../index/records/stored-records.ts';
import { type DocumentLimits, documentProblem } from '../../ingest/prepare.ts';
import { quotableSpans } from '../../text/quotable.ts';
import { splitSentences } from '../../text/split-sentences.ts';
import type { Identifiers, ModelIdentity, Notice } from '../../types.ts';
import { recordOf } from '../lane/kept-record.ts';
import type { EmbedDocuments, SplitDocument } from '../scoring/embed-documents.ts';

export interface LearnCounts {
  added: number;
  /** Documents that the index has already or does not accept. */
  passedOver: number;
  /** Whether another process held the lock. Nothing was added, and a retry may succeed. */
  isBusy: boolean;
}

export interface LearnLimits extends DocumentLimits {
  learnLockWaitMs: number;
  laneSentenceCharactersMax: number;
}

/** A document with its identifiers and the provider that returned it. */
export interface LearnedDocument extends SplitDocument {
  identifiers: Identifiers;
  notices?: readonly Notice[];
  provider: string;
}

/** The format of learned records. Their file is the provider. */
const LEARNED = 'lane';

export interface LearnDeps {
  embedDocuments: EmbedDocuments;
  store: OpenOptions;
  model: ModelIdentity;
  limits: LearnLimits;
}

/** A document of a paper that is not in the index. */
interface NewDocument {
  source: LearnedDocument;
  incoming: IncomingRecord;
  planned: PlannedChange;
  document: PlannedDocument;
}

/** Returns a function that adds documents in one transaction. It opens the index on first use. */
export function createLearn(
  deps: LearnDeps,
): (documents: readonly LearnedDocument[]) => Promise<LearnCounts> {
  let writer: IndexWriter | undefined;
  return async (documents) => {
    if (documents.length === 0) return { added: 0, passedOver: 0, isBusy: false };
    try {
      writer ??= openWriter(deps);
      const planned = planNew(documents, writer, deps.limits);
      const stale = writer.apply(await embedAll(planned, deps));
      const added = planned.length - stale.length;
      return { added, passedOver: documents.length - added, isBusy: false };
    } catch (error) {
      if (isBusy(error)) return { added: 0, passedOver: 0, isBusy: true };
      throw error;
    }
  };
}

/** The documents of new papers, one for each paper. */
function planNew(
  documents: readonly LearnedDocument[],
  writer: IndexWriter,
  limits: LearnLimits,
): NewDocument[] {
  const keys = new Set<string>();
  return documents.flatMap((source) => {
    const record = recordOf(source);
    if (documentProblem(record, limits) !== undefined) return [];
    const file = { path: source.provider, format: LEARNED };
    const incoming = newRecord(record, file);
    const planned = writer.plan(incoming);
    const [document, ...others] = planned.documents;
    const isNew = planned.outcome === 'added' && document !== undefined && others.length === 0;
    if (!isNew || planned.keys.some((key) => keys.has(key))) return [];
    for (const key of planned.keys) keys.add(key);
    return [{ source, incoming, planned, document }];
  });
}

async function embedAll(
  added: readonly NewDocument[],
  { embedDocuments, limits: { laneSentenceCharactersMax } }: LearnDeps,
): Promise<IndexedChange[]> {
  const limits = { textsMax: Number.POSITIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  const embedded = await embedDocuments(
    added.map(({ source }) => {
      const { abstract, sentences = splitSentences(abstract) } = source;
      return {
        ...source,
        sentences: quotableSpans(abstract, sentences, laneSentenceCharactersMax),
      };
    }),
    limits,
  );
  return embedded.map((content, at) => {
    const { incoming, planned, document } = added[at] as NewDocument;
    return { incoming, planned, contents: new Map([[document, content]]) };
  });
}

function openWriter({ store, model, limits }: LearnDeps): IndexWriter {
  const db = openExistingStore({ ...store, lockWaitMs: limits.learnLockWaitMs });
  try {
    claimModel(db, model);
    return createIndexWriter(db);
  } catch (error) {
    db.close();
    throw error;
  }
}
