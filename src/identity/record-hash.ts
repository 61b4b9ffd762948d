/** Hashes by which records and documents are compared. Pure. */
import { hash } from 'node:crypto';
import type { PaperDetails, SourceDocument } from '../types.ts';
import { schemes } from './identifiers.ts';
import type { KeptRecord } from './kept-record.ts';

/** A 128-bit hash of everything that is kept of a record, with its list of references. */
export function recordHash(record: KeptRecord, cited: Buffer | null): Buffer {
  const { source, part, identifiers, withheld, updatedAt, notice, details } = record;
  const known = schemes.map((scheme) => identifiers[scheme] ?? 0);
  const values: unknown[] = [source, part, known, withheld ?? 0, updatedAt, fieldsOf(record)];
  // What came later is left out where it is absent, so that older records keep their hash.
  if (details !== undefined) values.push(notice ?? 0, valuesOfDetails(details));
  else if (notice !== undefined) values.push(notice);
  if (cited !== null) values.push(cited.toString('base64'));
  return hashOf(JSON.stringify(values));
}

/** A 128-bit hash of every stored field of a document. */
export function contentHash(document: SourceDocument): Buffer {
  return hashOf(JSON.stringify(fieldsOf(document)));
}

function valuesOfDetails(details: PaperDetails): unknown[] {
  const { type, openAccess, openAccessUrl, citationCount, language, field, orcids } = details;
  const values: unknown[] = [type ?? 0, openAccess ?? 0, openAccessUrl ?? 0, citationCount ?? 0];
  // These came later, too.
  if (language !== undefined || field !== undefined) values.push(language ?? 0, field ?? 0);
  if (orcids !== undefined) values.push(orcids);
  return values;
}

function fieldsOf(document: SourceDocument): unknown[] {
  const { id, title, abstract, year, authors, venue } = document;
  return [id, title, abstract, year, authors, venue];
}

function hashOf(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, 16);
}
