/**
 * Resolves inheritance in BibTeX: `crossref` names the volume of a paper, `xdata` names entries with
 * shared fields. Both may come before or after the entry.
 */
import { createBoundedStore } from '../values/bounded-store.ts';
import type { BibtexEntry } from './bibtex-entries.ts';

type WholeEntry = Extract<BibtexEntry, { fields: unknown }>;

/** Limits for remembered parents, and for entries that wait for theirs. */
const PARENTS_MAX = 10_000;
const WAITING_MAX = 1_000;
/** Limit for the characters of either. */
const CHARACTERS_MAX = 16 * 1024 * 1024;
/** Levels of parents. Circular references end here too. */
const DEPTH_MAX = 5;

const PARENT =
  /^(?:(?:mv)?(?:book|collection|proceedings|reference)|periodical|manual|booklet|misc|xdata)$/;

/**
 * Fields that a paper inherits from its volume: only those about publication. The volume keeps its
 * DOI and abstract. Its title becomes the venue of the paper.
 */
const OF_VOLUME = ['author', 'year', 'date', 'journal', 'journaltitle', 'booktitle'];

/**
 * The entries with inherited fields, where they have none of their own. An entry is yielded after
 * its volume, or at the end if the volume never comes. Beyond the limits the oldest entries are
 * dropped from memory, and neither inherit nor pass anything on.
 */
export async function* withInherited(
  entries: AsyncIterable<BibtexEntry>,
): AsyncGenerator<BibtexEntry> {
  const limits = { charactersMax: CHARACTERS_MAX, charactersOf };
  const parents = createBoundedStore<WholeEntry>({ ...limits, entriesMax: PARENTS_MAX });
  const waiting = createBoundedStore<WholeEntry>({ ...limits, entriesMax: WAITING_MAX });
  const ready = (entry: WholeEntry): WholeEntry[] => {
    const isParent = PARENT.test(entry.type) && entry.key !== '';
    if (isParent) parents.add(entry.key.toLowerCase(), entry);
    const isWhole = isComplete(entry, parents.get);
    const ended = isWhole ? [entry] : waiting.add(waiting.next(), entry);
    return isParent
      ? [...ended, ...waiting.take((child) => isComplete(child, parents.get))]
      : ended;
  };
  let failure: { error: unknown } | undefined;
  const read = rememberFailure(entries, (error) => {
    failure = { error };
  });
  for await (const entry of read) {
    if ('problem' in entry) yield entry;
    else for (const one of ready(entry)) yield inherit(one, parents.get);
  }
  for (const one of waiting.take(() => true)) yield inherit(one, parents.get);
  if (failure !== undefined) throw failure.error;
}

/** Ends at a read error, so that waiting entries are yielded before the error is thrown. */
async function* rememberFailure(
  entries: AsyncIterable<BibtexEntry>,
  note: (error: unknown) => void,
): AsyncGenerator<BibtexEntry> {
  try {
    yield* entries;
  } catch (error) {
    note(error);
  }
}

function charactersOf({ fields }: WholeEntry): number {
  return [...fields].reduce((sum, [, value]) => sum + value.length, 0);
}

type Find = (key: string) => WholeEntry | undefined;

function keysIn(entry: WholeEntry, field: 'crossref' | 'xdata'): string[] {
  const keys = (entry.fields.get(field) ?? '').split(',').map((key) => key.trim().toLowerCase());
  // One that is named often would be looked at as often on each level.
  return [...new Set(keys)].filter((key) => key !== '');
}

function isComplete(entry: WholeEntry, find: Find, depth = 0): boolean {
  if (depth === DEPTH_MAX) return true;
  const keys = [...keysIn(entry, 'xdata'), ...keysIn(entry, 'crossref')];
  return keys.every((key) => {
    const parent = find(key);
    return parent !== undefined && isComplete(parent, find, depth + 1);
  });
}

function inherit(entry: WholeEntry, find: Find, depth = 0): WholeEntry {
  const fields = new Map(entry.fields);
  const add = (name: string, value: string | undefined): void => {
    if (value !== undefined && (fields.get(name) ?? '').trim() === '') fields.set(name, value);
  };
  const parentsIn = (field: 'crossref' | 'xdata'): WholeEntry[] =>
    (depth === DEPTH_MAX ? [] : keysIn(entry, field)).flatMap((key) => {
      const parent = find(key);
      return parent === undefined ? [] : [inherit(parent, find, depth + 1)];
    });
  for (const data of parentsIn('xdata')) for (const [name, value] of data.fields) add(name, value);
  for (const volume of parentsIn('crossref')) {
    const venue = volume.type === 'periodical' ? 'journaltitle' : 'booktitle';
    add(venue, volume.fields.get('title'));
    for (const name of OF_VOLUME) add(name, volume.fields.get(name));
  }
  return { ...entry, fields };
}
