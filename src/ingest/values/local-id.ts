/**
 * Ids of records in tables and personal bibliographies. A row number or a citation key names a
 * paper in its own file only: elsewhere the same one is that of another paper.
 */
import { createHash } from 'node:crypto';
import { documentIdOf, identifiersInId } from '../../identity/identifiers.ts';
import { lettersOf } from '../../identity/record-keys.ts';
import type { Identifiers, SourceRecord } from '../../types.ts';

/** No scheme has it in its ids, so a local id is never taken for an identifier. */
const SEPARATOR = '::';

/** A name that is longer is cut: the rest of the id has to fit too. */
const LOCAL_NAME_CHARACTERS_MAX = 200;

/**
 * Names of a file of which the titles are remembered, about 60 MB. Tables with more rows come from
 * databases, which give no name twice.
 */
const NAMES_REMEMBERED_MAX = 1_000_000;

/** A short one is a citation key, W99 for a Wu of 1999, and no id of OpenAlex. */
const CITATION_KEY = /^w\d{1,5}$/i;

/**
 * Returns a function that gives the records of one file their ids; they are to be handed to it in
 * their order, each with what its file calls it, or '', as its id. A record keeps the id that its
 * identifiers make; else a name that is an identifier is taken as that; else the id is the source's
 * name with that of the record. Where a record of another title had the name before, and where
 * there is no name, a hash of the title is part of it. '' where there is neither name nor title.
 */
export function createLocalIds(source: string): (record: SourceRecord) => SourceRecord {
  const titleOf = new Map<number, number>();
  const isTaken = (name: string, title: string): boolean => {
    const [key, own] = [numberOf(name), numberOf(title)];
    const first = titleOf.get(key) ?? own;
    if (titleOf.size < NAMES_REMEMBERED_MAX) titleOf.set(key, first);
    return first !== own;
  };
  return (record) => {
    const { id, identifiers, title, authors } = record;
    if (documentIdOf(identifiers) !== '') return record;
    const known = identifiersInName(id);
    if (documentIdOf(known) !== '')
      return { ...record, id: documentIdOf(known), identifiers: known };
    const letters = lettersOf(title);
    const name = asName(id);
    const parts =
      name === ''
        ? [letters === '' ? '' : digest(`${letters} ${authors[0] ?? ''}`)]
        : [name, ...(isTaken(name, letters) ? [digest(letters).slice(0, 8)] : [])];
    return { ...record, id: parts[0] === '' ? '' : `${source}${SEPARATOR}${parts.join('-')}` };
  };
}

/**
 * The id of a record of a source whose own name for it may be another source's too: the name, and
 * a hash of the title. '' without a title.
 */
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

/** 31 bits: two names that share them cost no more than a hash in an id that needs none. */
function numberOf(text: string): number {
  return Number.parseInt(digest(text).slice(0, 8), 16) >>> 1;
}
