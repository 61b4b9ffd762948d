/** Papers that a request excludes, by any identifier that proves which paper is meant. */
import { identifiersInId } from '../identity/identifiers.ts';
import { idKeyOf, schemeKeysOf } from '../identity/record-keys.ts';
import type { IndexView } from '../index/ports/index-source.ts';
import type { DocumentNumber, Identifiers } from '../types.ts';
import type { QuotableSource } from './external-documents.ts';

export interface Exclusions {
  /** The excluded documents of the index. */
  documents: ReadonlySet<DocumentNumber>;
  /** Whether a document of a lane is excluded. */
  hasExternal(source: Pick<QuotableSource, 'id' | 'identifiers'>): boolean;
}

const NONE: Exclusions = { documents: new Set(), hasExternal: () => false };

/** Looks ids up. Those that are unknown to the index may still exclude documents of lanes. */
export async function readExclusions(
  texts: readonly string[],
  view: IndexView,
): Promise<Exclusions> {
  if (texts.length === 0) return NONE;
  const ids = texts.map((text) => text.trim());
  const keys = ids.map((id) => keysOf(id, {}));
  const documents = new Set((await view.withKeys(keys)).flat());
  for (const document of await view.withIds(ids)) {
    if (document !== undefined) documents.add(document);
  }
  const allKeys = new Set(keys.flat().map((key) => key.toLowerCase()));
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
