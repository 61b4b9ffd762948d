/**
 * Creates ids for records of tables and personal bibliographies, where a row number or a citation key
 * names a paper in its own file only.
 */
import { createHash } from 'node:crypto';
import { documentIdOf, identifiersInId } from '../../identity/identifiers.ts';
import { lettersOf } from '../../identity/record-keys.ts';
import type { Identifiers, SourceRecord } from '../../types.ts';

/** No identifier contains it, so a local id is never mistaken for one. */
const SEPARATOR = '::';

/** Longer names are cut, because the rest of the id has to fit too. */
const LOCAL_NAME_CHARACTERS_MAX = 200;

/**
 * Names per file whose titles are remembered, in about 60 MB. Larger tables come from databases,
 * which do not repeat names.
 */
const NAMES_REMEMBERED_MAX = 1_000_000;

/** A citation key such as W99 (Wu 1999), not an OpenAlex id. */
const CITATION_KEY = /^w\d{1,5}$/i;

/**
 * Returns a function that assigns ids to the records of one file, in file order. Each record comes
 * with its name in the file, or '', as its id. The first that applies: the id from its identifiers;
 * the name, if it is an identifier; the name of the source with the name of the record. A hash of
 * the title is added if a record with another title has the name, or if there is no name. The id is
 * '' without name and title.
 */
export function createLocalIds(
  source: string,
): (record: SourceRecord, firstAuthor?: string) => SourceRecord {
  const titleOf = new Map<number, number>();
  const isTaken = (name: string, title: string): boolean => {
    const [key, own] = [numberOf(name), numberOf(title)];
    const first = titleOf.get(key) ?? own;
    if (titleOf.size < NAMES_REMEMBERED_MAX) titleOf.set(key, first);
    return first !== own;
  };
  return (record, firstAuthor = record.authors[0] ?? '') => {
    const { id, identifiers, title } = record;
    if (documentIdOf(identifiers) !== '') return record;
    const known = identifiersInName(id);
    if (documentIdOf(known) !== '')
      return { ...record, id: documentIdOf(known), identifiers: known };
    const letters = lettersOf(title);
    const name = asName(id);
    const parts =
      name === ''
        ? [letters === '' ? '' : digest(`${letters} ${firstAuthor}`)]
        : [name, ...(isTaken(name, letters) ? [digest(letters).slice(0, 8)] : [])];
    return { ...record, id: parts[0] === '' ? '' : `${source}${SEPARATOR}${parts.join('-')}` };
  };
}

/** An id from a name that other sources may use too, and a hash of the title; '' without a title. */
export function titledId(name: string, title: string): string {
  const letters = lettersOf(title);
  if (letters === '') return '';
  return `${asName(name)}-${digest(letters).slice(0, 8)}`;
}

function asName(text: string): string {
  return text.trim().replace(/\s+/g, '-').slice(0, LOCAL_NAME_CHARACTERS_MAX);
}

function identifiersInName(name: string): Identifiers {
  return CITATION_KEY.test(name.trim()) ? {} : identifiersInId(name);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** 31 bits are enough: a collision only adds a hash to an id that needs none. */
function numberOf(text: string): number {
  return Number.parseInt(digest(text).slice(0, 8), 16) >>> 1;
}
