/**
 * Learning: documents that lanes returned join the index as those of a file do, so that the same
 * question is answered locally the next time.
 */
import { claimModel, type ModelIdentity } from '../store/index-facts.ts';
import { createIndexWriter, type IndexWriter } from '../store/index-writer.ts';
import { isBusy, type OpenOptions, openStore } from '../store/open.ts';
import type { EmbedDocuments, SplitDocument } from './embed-documents.ts';
import { type DocumentLimits, documentProblem } from './prepare.ts';

export interface LearnCounts {
  added: number;
  /** Documents that the index has already, or does not take. */
  passedOver: number;
  /** Whether another process held the lock: nothing was added, and it may be tried again. */
  isBusy: boolean;
}

export interface LearnLimits extends DocumentLimits {
  learnLockWaitMs: number;
}

export interface LearnParts<Source> {
  embedDocuments: EmbedDocuments;
  /** Whether the index has the paper, under this or another id. */
  isKnown: (document: Source) => Promise<boolean>;
  store: OpenOptions;
  model: ModelIdentity;
  limits: LearnLimits;
}

/** Returns a function that adds documents in one transaction; it opens the index when first used. */
export function createLearn<Source extends SplitDocument>(
  parts: LearnParts<Source>,
): (documents: readonly Source[]) => Promise<LearnCounts> {
  let writer: IndexWriter | undefined;
  return async (documents) => {
    if (documents.length === 0) return { added: 0, passedOver: 0, isBusy: false };
    const wanted: Source[] = [];
    for (const document of documents) {
      const isFit = documentProblem(document, parts.limits) === undefined;
      if (isFit && !(await parts.isKnown(document))) wanted.push(document);
    }
    const limits = { textsMax: Number.POSITIVE_INFINITY, until: Number.POSITIVE_INFINITY };
    const embedded = await parts.embedDocuments(wanted, limits);
    try {
      writer ??= openWriter(parts);
      const added = writer.addNew(embedded);
      return { added, passedOver: documents.length - added, isBusy: false };
    } catch (error) {
      if (isBusy(error)) return { added: 0, passedOver: 0, isBusy: true };
      throw error;
    }
  };
}

function openWriter({ store, model, limits }: Omit<LearnParts<never>, 'isKnown'>): IndexWriter {
  const db = openStore({ ...store, lockWaitMs: limits.learnLockWaitMs });
  try {
    claimModel(db, model);
    return createIndexWriter(db);
  } catch (error) {
    db.close();
    throw error;
  }
}
