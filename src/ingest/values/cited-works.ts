/** Makes the references of a record from what its source lists. Pure. */
import { ARXIV_DOI, identifiersOf, type WrittenIdentifiers } from '../../identity/identifiers.ts';
import { ingestSettings } from '../../settings/ingest-settings.ts';
import type { CitedWork, SourceRecord } from '../../types.ts';

const REFERENCES_MAX = ingestSettings.referencesMax.value;
const TEXT_CHARACTERS_MAX = ingestSettings.referenceCharactersMax.value;

/** White space may take most of a text. A longer one is not read to its end. */
const READ_CHARACTERS_MAX = 10 * TEXT_CHARACTERS_MAX;

/** A reference as a source has it. */
export interface WrittenReference {
  identifiers?: WrittenIdentifiers;
  /** Returns the printed reference. Called only if there is no valid identifier. */
  print?: () => string;
}

/**
 * Returns the field `references` of a record; nothing if the source lists none. What is neither
 * identified nor printed is left out, and so is a work that was listed before.
 */
export function referencesOf(
  written: Iterable<WrittenReference>,
): Pick<SourceRecord, 'references'> {
  const list = createReferenceList();
  for (const reference of written) list.add(reference);
  return list.found();
}

/** Collects the references of a record that come one by one. */
export interface ReferenceList {
  /** Leaves out a reference beyond the limit. */
  add(reference: WrittenReference): void;
  /** What `referencesOf` returns. */
  found(): Pick<SourceRecord, 'references'>;
}

/** Creates an empty list. */
export function createReferenceList(): ReferenceList {
  const references: CitedWork[] = [];
  const seen = new Set<string>();
  return {
    add(reference) {
      if (references.length === REFERENCES_MAX) return;
      const work = citedWork(reference);
      const names = Object.entries({ ...work.identifiers, ...(work.text && { text: work.text }) });
      const keys = names.map(([scheme, id]) => `${scheme} ${id}`);
      const isNew = keys.length > 0 && !keys.some((key) => seen.has(key));
      if (isNew) references.push(work);
      for (const key of keys) seen.add(key);
    },
    found: () => (references.length === 0 ? {} : { references }),
  };
}

/** A work that may have neither identifiers nor a text. */
function citedWork({ identifiers: written = {}, print }: WrittenReference): CitedWork {
  const identifiers = identifiersOf(written);
  const { doi = '', arxiv } = identifiers;
  if (arxiv !== undefined && ARXIV_DOI.test(doi)) delete identifiers.doi;
  if (print === undefined || Object.keys(identifiers).length > 0) return { identifiers };
  const text = shortened(print().slice(0, READ_CHARACTERS_MAX).replace(/\s+/g, ' ').trim());
  return /\p{L}/u.test(text) ? { identifiers, text } : { identifiers };
}

function shortened(text: string): string {
  if (text.length <= TEXT_CHARACTERS_MAX) return text;
  const start = text
    .slice(0, TEXT_CHARACTERS_MAX)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
  // A slice would keep the whole text in memory.
  return Buffer.from(start).toString();
}

/** The parts of a reference that has no printed form. Unknown ones are empty. */
export interface ReferenceParts {
  authors: readonly string[];
  year: string;
  title: string;
  /** The journal, or the book with the paper in it. */
  venue: string;
  volume?: string;
  firstPage?: string;
}

/** Returns "Berg A et al. (1998). Tides. Shore, 12, 345", without the parts that are unknown. */
export function printReference(parts: ReferenceParts): string {
  const { authors, year, title, venue, volume = '', firstPage = '' } = parts;
  const [first = '', second] = authors;
  const names = second === undefined ? first : `${first} et al.`;
  const dated = year === '' ? names : `${names} (${year})`;
  const place = [venue, volume, firstPage].filter((part) => part !== '').join(', ');
  return [dated, title, place]
    .map((part) => part.trim().replace(/\.+$/, ''))
    .filter((part) => part !== '')
    .join('. ');
}
