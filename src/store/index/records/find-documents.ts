/** Finds documents by any form of any identifier. */
import { VerbatimError } from '../../../errors.ts';
import { identifiersOf, schemes } from '../../../identity/identifiers.ts';
import { schemeKeysOf } from '../../../identity/record-keys.ts';
import type { DocumentWithSources, SourcesReader } from './sources-of-documents.ts';

/** Returns the documents with this identifier. A bare number may belong to more than one scheme. */
export function findDocuments(reader: SourcesReader, name: string): DocumentWithSources[] {
  const forms = identifiersOf(Object.fromEntries(schemes.map((scheme) => [scheme, name])));
  return reader.find(name.trim(), schemeKeysOf(forms));
}

/** A longer text is the id of no paper. */
const ID_CHARACTERS_MAX = 2_000;

/** Returns the only document with this identifier, or undefined. Throws `bad_request` if several have it. */
export function findDocument(reader: SourcesReader, id: string): DocumentWithSources | undefined {
  if (id.length > ID_CHARACTERS_MAX) return undefined;
  const [found, ...others] = findDocuments(reader, id.toWellFormed());
  if (found === undefined || others.length === 0) return found;
  const ids = [found, ...others].map(({ merged }) => merged.document.id).join(', ');
  throw new VerbatimError('bad_request', `id: several papers have "${id}"; use one of ${ids}`);
}
