/** Turns the entries of a file into the records that the index keeps. Pure. */
import { fieldOfStudy } from '../identity/field-of-study.ts';
import { isPersonal, type KeptRecord, type Source } from '../identity/kept-record.ts';
import { paperTypeOf } from '../identity/paper-type.ts';
import { withheldByTitle } from '../identity/withheld.ts';
import { isAbstractPlaceholder, isNamePlaceholder } from '../text/placeholders.ts';
import type { Identifiers, PaperDetails, SourceRecord } from '../types.ts';
import type { Entry, Format, Supplement } from './read/packed-format.ts';
import { storedLanguage } from './selection/language.ts';
import { sourceOf } from './source-schemes.ts';
import type { About } from './values/about.ts';
import { createLocalIds } from './values/local-id.ts';

export type NormalizedEntry =
  | { record: KeptRecord; about?: About | undefined }
  | { deletion: Identifiers; source: Source; isMerged: boolean }
  | Extract<Entry, { problem: string }>;

/** Takes the entries of one file, in file order. */
export interface EntryNormalizer {
  normalize(entry: Entry): NormalizedEntry;
  /**
   * Takes note of an entry that an interrupted build has already processed. In a personal
   * bibliography the id of a later record depends on the names before it.
   */
  skip(entry: Entry): void;
}

/** `name`: the name of the file, see file-source-names.ts. */
export function createEntryNormalizer(format: Pick<Format, 'name'>, name: string): EntryNormalizer {
  const source = sourceOf(format, name);
  const withId = isPersonal({ source }) ? createLocalIds(name) : undefined;
  return {
    normalize(entry) {
      if ('problem' in entry) return entry;
      if ('deletion' in entry) {
        const { deletion, isMerged = false } = entry;
        return { source, deletion, isMerged };
      }
      if ('supplement' in entry) {
        return { record: { ...recordOf(entry.supplement), source } };
      }
      // Names of records are older than the removal of placeholders, and contain them.
      const named = withId?.(entry.document, entry.firstAuthor) ?? entry.document;
      const document = withoutPlaceholders(named);
      // Titles are checked in every format, because not every source has a field for retractions.
      const withheld = document.withheld ?? withheldByTitle(document.title);
      const record: KeptRecord = { ...document, source, part: 'record' };
      if (withheld !== undefined) record.withheld = withheld;
      const details = detailsFrom(document.details, entry.about);
      if (Object.keys(details).length > 0) record.details = details;
      return { record, about: entry.about };
    },
    skip(entry) {
      if ('document' in entry) withId?.(entry.document, entry.firstAuthor);
    },
  };
}

/** Removes an abstract and authors that only say that the source has none. */
function withoutPlaceholders(document: SourceRecord): SourceRecord {
  const { abstract, authors } = document;
  const hasAbstract = abstract === '' || !isAbstractPlaceholder(abstract);
  if (hasAbstract && !authors.some(isNamePlaceholder)) return document;
  const names = authors.filter((name) => !isNamePlaceholder(name));
  return { ...document, abstract: hasAbstract ? abstract : '', authors: names };
}

/** Adds the type, the language, and the field that a record names in the words of its source. */
function detailsFrom(known: PaperDetails = {}, about: About | undefined): PaperDetails {
  const details = { ...known };
  const type = known.type ?? paperTypeOf(about?.types ?? []);
  if (type !== undefined) details.type = type;
  const language = about?.languages.map(storedLanguage).find((code) => code !== undefined);
  if (language !== undefined) details.language = language;
  const field = fieldOfStudy(about?.fields[0] ?? '');
  if (field !== undefined) details.field = field;
  return details;
}

/** A record that has only the fields of a supplement. */
function recordOf(supplement: Supplement): Omit<KeptRecord, 'source'> {
  const { identifiers, abstract, withheld, announced, cites } = supplement;
  const record: Omit<KeptRecord, 'source'> = {
    id: (announced ?? cites)?.name ?? '',
    title: '',
    abstract: isAbstractPlaceholder(abstract) ? '' : abstract,
    year: 0,
    authors: [],
    venue: '',
    identifiers,
    updatedAt: 0,
    part: announced !== undefined ? 'notice' : cites !== undefined ? 'references' : 'abstract',
  };
  if (withheld !== undefined) record.withheld = withheld;
  if (announced !== undefined) record.notice = announced.notice;
  if (cites !== undefined) record.references = cites.references;
  return record;
}
