/** Records as the index stores them: the values of a row, and back. Pure. */

import { citedWorkOf, keysOfCitedWork } from '../../identity/cited-work-keys.ts';
import { type DocumentField, documentFields, type KeptRecord } from '../../identity/kept-record.ts';
import { recordHash } from '../../identity/record-hash.ts';
import { keysOf } from '../../identity/record-keys.ts';
import { encodeReferences } from '../../identity/reference-list.ts';
import type { DocumentId, DocumentNumber, SourceDocument } from '../../types.ts';
import { unlessDamaged } from '../unless-damaged.ts';
import type { FileNumber, SourceFile } from './source-files.ts';

export interface StoredRecord {
  number: number;
  /** The document that it belongs to; null while it waits for its paper. */
  document: DocumentNumber | null;
  /** Empty if unknown. */
  hash: Buffer;
  file: FileNumber | null;
  /** Without the references of a whole record, which are in `cited`. */
  record: KeptRecord;
  /** Its list of references: see identity/reference-list.ts. */
  cited: Buffer | null;
}

/** A record to store. */
export interface NewRecord {
  record: KeptRecord;
  hash: Buffer;
  /** Null if it did not come from a file. */
  file: SourceFile | FileNumber | null;
  /** The id of an earlier record of its source that it is after an edit: see identity/edited-title.ts. */
  edits?: DocumentId | undefined;
  /** Its list of references. */
  cited: Buffer | null;
}

/** Returns a record to store, with what is derived from it. */
export function newRecord(record: KeptRecord, file: NewRecord['file']): NewRecord {
  const cited = encodeReferences(record);
  return { record, hash: recordHash(record, cited), file, cited };
}

/** Whether a file is named by its path, and may have no row yet. */
export function isNewFile(file: NewRecord['file']): file is SourceFile {
  return typeof file === 'object' && file !== null;
}

/** A row of a record, joined with its document; '' and 0 in place of a document that is missing. */
export interface RecordRow extends Omit<SourceDocument, 'authors'> {
  number: number;
  document: DocumentNumber | null;
  source: string;
  part: string | null;
  hash: Buffer;
  updated_at: number;
  withheld: KeptRecord['withheld'] | null;
  identifiers: string | null;
  fields: string | null;
  file: FileNumber | null;
  notice: string | null;
  details: string | null;
  cited: Buffer | null;
  authors: string;
}

/** The document to which a record belongs, as it will be stored. */
export interface RecordDocument {
  number: DocumentNumber;
  fields: SourceDocument;
}

/**
 * Returns the values of the row of a record, but for its own number, its document, and its file. A record
 * keeps only what differs from its document.
 */
export function recordValues({ record, hash, cited }: NewRecord, document: RecordDocument | null) {
  const { source, part, updatedAt, withheld, identifiers, notice, details } = record;
  const known = JSON.stringify(identifiers);
  return {
    source,
    part: part === 'record' ? null : part,
    hash,
    updated_at: updatedAt,
    withheld: withheld ?? null,
    identifiers: known === '{}' ? null : known,
    // There may be millions of these, and they have no fields.
    fields: part === 'merged' ? null : differingFields(record, document?.fields),
    notice: notice === undefined ? null : JSON.stringify(notice),
    details: details === undefined ? null : JSON.stringify(details),
    cited,
  };
}

/** Returns whether two records have the same content, also if the stored hash is unknown. */
export function isSameRecord(stored: StoredRecord, { hash }: NewRecord): boolean {
  if (stored.hash.equals(hash)) return true;
  return stored.hash.length === 0 && recordHash(stored.record, stored.cited).equals(hash);
}

function differingFields(record: KeptRecord, document: SourceDocument | undefined): string | null {
  const differing: Partial<Record<DocumentField | 'references', unknown>> = {};
  for (const field of documentFields) {
    const [own, merged] = [record[field], document?.[field]];
    const isSame = own === merged || (Array.isArray(own) && isSameList(own, merged));
    if (!isSame) differing[field] = own;
  }
  // While it waits, the table of citations does not have the keys in full.
  if (record.part === 'references') differing.references = record.references?.map(keysOfCitedWork);
  const text = JSON.stringify(differing);
  return text === '{}' ? null : text;
}

function isSameList(a: readonly string[], b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Returns whether a record has a key, compared without case. */
export function hasKey({ record }: StoredRecord, key: string): boolean {
  return keysOf(record).some((own) => own.toLowerCase() === key.toLowerCase());
}

/** The title of a document, with what one of its records has instead of its fields; null if nothing. */
export interface TitleRow {
  title: string;
  fields: string | null;
}

/** The titles of a document and of its records. Leaves out a record that is damaged. */
export function titlesIn(rows: readonly TitleRow[]): string[] {
  const own = rows.flatMap(({ fields }) => {
    const title: unknown = unlessDamaged(() => JSON.parse(fields ?? '{}').title);
    return typeof title === 'string' ? title : [];
  });
  return [...rows.slice(0, 1).map(({ title }) => title), ...own];
}

/** Throws a SyntaxError if the stored JSON is damaged. */
export function toStored(row: RecordRow): StoredRecord {
  const { number, document, hash, file, source, part, updated_at, withheld, identifiers } = row;
  const { id, title, abstract, year, venue } = row;
  const { references, ...fields } = JSON.parse(row.fields ?? '{}');
  return {
    number,
    document,
    hash,
    file,
    cited: row.cited,
    record: {
      id,
      title,
      abstract,
      year,
      authors: JSON.parse(row.authors),
      venue,
      ...fields,
      ...(references === undefined ? {} : { references: references.map(citedWorkOf) }),
      source: source as KeptRecord['source'],
      part: part === null ? 'record' : (part as KeptRecord['part']),
      identifiers: JSON.parse(identifiers ?? '{}'),
      ...(withheld === null ? {} : { withheld }),
      ...(row.notice === null ? {} : { notice: JSON.parse(row.notice) }),
      ...(row.details === null ? {} : { details: JSON.parse(row.details) }),
      updatedAt: updated_at,
    },
  };
}
