/** From an entry of a file to the record that the index keeps of it. */
import { isPersonal, type KeptRecord, type Source } from '../identity/kept-record.ts';
import { withheldByTitle } from '../identity/withheld.ts';
import type { Identifiers } from '../types.ts';
import type { Entry, Format, Supplement } from './read/format.ts';
import { sourceOf } from './source-schemes.ts';
import type { About } from './values/about.ts';
import { createLocalIds } from './values/local-id.ts';

export type NormalizedEntry =
  | { record: KeptRecord; about?: About | undefined }
  | { deletion: Identifiers; source: Source }
  | Extract<Entry, { problem: string }>;

/**
 * Returns a function that makes records of the entries of one file, which are to be handed to it in
 * their order. `name`: what the file is called, see source-names.ts.
 */
export function createEntryNormalizer(
  format: Format,
  name: string,
): (entry: Entry) => NormalizedEntry {
  const source = sourceOf(format, name);
  const withId = isPersonal({ source }) ? createLocalIds(name) : undefined;
  return (entry) => {
    if ('problem' in entry) return entry;
    if ('deletion' in entry) return { source, deletion: entry.deletion };
    if ('supplement' in entry) {
      return { record: { ...recordOf(entry.supplement), source, part: 'abstract' } };
    }
    const document = withId?.(entry.document) ?? entry.document;
    // In any format: not every source has a field for it.
    const withheld = document.withheld ?? withheldByTitle(document.title);
    const known = withheld === undefined ? {} : { withheld };
    return { record: { ...document, ...known, source, part: 'record' }, about: entry.about };
  };
}

/** What a supplement says, as a record that says nothing else. */
function recordOf({ identifiers, abstract, withheld }: Supplement) {
  const bare = { id: '', title: '', year: 0, authors: [], venue: '', updatedAt: 0 };
  return { ...bare, identifiers, abstract, ...(withheld === undefined ? {} : { withheld }) };
}
