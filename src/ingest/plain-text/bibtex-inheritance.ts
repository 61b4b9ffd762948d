/**
 * What entries of BibTeX take from others: `crossref` names the volume that a paper is in, `xdata`
 * entries that hold fields for many. Both may stand in front of the entry or behind it.
 */
import type { BibtexEntry } from './bibtex-entries.ts';

type WholeEntry = Extract<BibtexEntry, { fields: unknown }>;

/** Volumes and the like that are remembered, and entries that wait for theirs. */
const PARENTS_MAX = 10_000;
const WAITING_MAX = 1_000;
/** Characters of either. */
const CHARACTERS_MAX = 16 * 1024 * 1024;
/** Volumes of volumes; those that name each other in a circle end here too. */
const DEPTH_MAX = 5;

const PARENT =
  /^(?:(?:mv)?(?:book|collection|proceedings|reference)|periodical|manual|booklet|misc|xdata)$/;

/**
 * Of a volume only what says where and when a paper came out is the paper's too; its DOI, its
 * abstract and the like are its own. Its title is that of the paper's venue.
 */
const OF_VOLUME = ['author', 'year', 'date', 'journal', 'journaltitle', 'booktitle'];

/**
 * The entries with what they inherit, each field only where the entry has none. One whose volume
 * comes later is handed on behind it; one whose volume never comes, at the end. Of more than are
 * remembered the oldest are forgotten, and inherit nothing or hand nothing on.
 */
export async function* withInherited(
  entries: AsyncIterable<BibtexEntry>,
): AsyncGenerator<BibtexEntry> {
  const parents = createBoundedStore(PARENTS_MAX);
  const waiting = createBoundedStore(WAITING_MAX);
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

/** Ends where reading fails, so that what waits can be handed on before the failure is. */
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

type Find = (key: string) => WholeEntry | undefined;

function keysIn(entry: WholeEntry, field: 'crossref' | 'xdata'): string[] {
  const keys = (entry.fields.get(field) ?? '').split(',').map((key) => key.trim().toLowerCase());
  return keys.filter((key) => key !== '');
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

/** Entries by key, in the order in which they came, with no more characters than allowed. */
function createBoundedStore(entriesMax: number) {
  const kept = new Map<string, { entry: WholeEntry; characters: number }>();
  let characters = 0;
  let number = 0;
  const remove = (key: string): WholeEntry | undefined => {
    const one = kept.get(key);
    kept.delete(key);
    characters -= one?.characters ?? 0;
    return one?.entry;
  };
  return {
    get: (key: string) => kept.get(key)?.entry,
    /** A key that none has had. */
    next: () => String(number++),
    /** Adds one, the first of its key; returns those that had to go. */
    add(key: string, entry: WholeEntry): WholeEntry[] {
      if (kept.has(key)) return [];
      const own = [...entry.fields].reduce((sum, [, value]) => sum + value.length, 0);
      kept.set(key, { entry, characters: own });
      characters += own;
      const gone: WholeEntry[] = [];
      for (const oldest of kept.keys()) {
        if (kept.size <= entriesMax && characters <= CHARACTERS_MAX) break;
        const removed = remove(oldest);
        if (removed !== undefined) gone.push(removed);
      }
      return gone;
    },
    /** Takes those out that are wanted. */
    take(isWanted: (entry: WholeEntry) => boolean): WholeEntry[] {
      const wanted = [...kept].filter(([, { entry }]) => isWanted(entry));
      return wanted.flatMap(([key]) => remove(key) ?? []);
    },
  };
}
