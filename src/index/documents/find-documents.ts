/** Finds documents by any form of any identifier. */
import { identifiersOf, schemes } from '../../identity/identifiers.ts';
import { schemeKeysOf } from '../../identity/record-keys.ts';
import type { DocumentWithSources, SourcesReader } from './sources-of-documents.ts';

/** Returns what a name may be: an id, and the keys of all identifiers that have this form. Pure. */
export function keysOfName(name: string): { id: string; keys: string[] } {
  const forms = identifiersOf(Object.fromEntries(schemes.map((scheme) => [scheme, name])));
  return { id: name.trim(), keys: schemeKeysOf(forms) };
}

/** Returns the documents with this identifier. A bare number may belong to more than one scheme. */
export function findDocuments(reader: SourcesReader, name: string): DocumentWithSources[] {
  const { id, keys } = keysOfName(name);
  return reader.find(id, keys);
}
