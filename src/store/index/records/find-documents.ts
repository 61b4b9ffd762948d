/** Finds documents by any form of any identifier. */
import { identifiersOf, schemes } from '../../../identity/identifiers.ts';
import { schemeKeysOf } from '../../../identity/record-keys.ts';
import type { DocumentWithSources, SourcesReader } from './sources-of-documents.ts';

/** Returns the documents with this identifier. A bare number may belong to more than one scheme. */
export function findDocuments(reader: SourcesReader, name: string): DocumentWithSources[] {
  const forms = identifiersOf(Object.fromEntries(schemes.map((scheme) => [scheme, name])));
  return reader.find(name.trim(), schemeKeysOf(forms));
}
