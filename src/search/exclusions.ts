/** Papers that a request excludes, by any identifier that proves which paper is meant. */
import { identifiersInId } from '../identity/identifiers.ts';
import { idKeyOf, schemeKeysOf } from '../identity/record-keys.ts';
import type { DocumentNumber, Identifiers } from '../types.ts';
import type { QuotableSource } from './external-documents.ts';

export interface Exclusions {
  /** The excluded documents of the index. */
  documents: ReadonlySet<DocumentNumber>;
  /** Whether a document of a lane is excluded. */
  hasExternal(source: Pick<QuotableSource, 'id' | 'identifiers'>): boolean;
}

export interface IdReader {
  /** Returns the documents with this id or one of these keys. */
  withIdOrKeys(id: string, keys: readonly string[]): DocumentNumber[];
}

/** Ids that are unknown to the index may still exclude documents of lanes. */
export function createExclusions(ids: readonly string[], reader: IdReader): Exclusions {
  const documents = new Set<DocumentNumber>();
  const allKeys = new Set<string>();
  for (const id of ids.map((id) => id.trim())) {
    const keys = keysOf(id, {});
    for (const key of keys) allKeys.add(key.toLowerCase());
    for (const document of reader.withIdOrKeys(id, keys)) documents.add(document);
  }
  return {
    documents,
    hasExternal: ({ id, identifiers }) =>
      keysOf(id, identifiers).some((key) => allKeys.has(key.toLowerCase())),
  };
}

/** The keys of an id, of the identifiers in it, and of those that are known besides. */
function keysOf(id: string, identifiers: Identifiers): string[] {
  return [idKeyOf(id), ...schemeKeysOf({ ...identifiersInId(id), ...identifiers })];
}
