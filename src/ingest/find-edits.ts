/**
 * Finds, for a new record of a table or a personal bibliography, the record that it is after an edit of its
 * title: one of the same source that the file no longer has. The files of a source are read once more before
 * it, and only if the index has records of the source.
 */
import { isEdited, workKeyOf } from '../identity/edited-title.ts';
import { isPersonal, type KeptRecord, type Source } from '../identity/kept-record.ts';
import type { IndexBuilder } from '../index/ports/index-builder.ts';
import { type ListOptions, listNames } from './list-names.ts';
import type { NameSet } from './name-set.ts';
import { type Input, isFile } from './read/input.ts';

/** Records of a source that its file no longer has, and that may have been edited. The last ones count. */
const GONE_MAX = 10_000;

/** Of authors with more of them in a year, none is found: their papers are a series. */
const CANDIDATES_MAX = 40;

export interface EditFinder {
  /** Resolves to the id of the record that this one replaces, undefined if there is none. */
  replacedBy(record: KeptRecord, input: Input): Promise<string | undefined>;
}

export interface FindEditsOptions extends ListOptions {
  builder: Pick<IndexBuilder, 'listPersonal' | 'replacedBy'>;
  inputs: readonly Input[];
  /** Whether all files are one source. */
  isOneSource: boolean;
}

export function createEditFinder(options: FindEditsOptions): EditFinder {
  const { builder, inputs, isOneSource } = options;
  let listed: { of: Input | 'all'; names: NameSet | undefined } | undefined;
  const goneOf = new Map<Source, Map<number, KeptRecord[]>>();

  /** Undefined if the files do not show all names. */
  const namesIn = async (input: Input): Promise<NameSet | undefined> => {
    const of = isOneSource ? 'all' : input;
    if (listed?.of !== of) {
      const files = isOneSource ? inputs : [input];
      const isReadTwice = files.every((file) => !isFile(file) || file.bytes !== undefined);
      const found = isReadTwice ? await listNames(files, options) : undefined;
      const isWhole = found?.damaged.length === 0 && !options.signal.aborted;
      listed = { of, names: isWhole ? found.names : undefined };
    }
    return listed.names;
  };
  const readGone = async (source: Source, input: Input): Promise<Map<number, KeptRecord[]>> => {
    let gone: KeptRecord[] = [];
    for (let after = 0; ; ) {
      const page = await builder.listPersonal(source, after);
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.document as number;
      const names = await namesIn(input);
      const missing = page
        .map(({ record }) => record)
        .filter((one) => workKeyOf(one) !== undefined && names?.has(one) === false);
      gone = [...gone, ...missing].slice(-GONE_MAX);
    }
    const byKey = new Map<number, KeptRecord[]>();
    for (const one of gone) {
      const key = workKeyOf(one);
      if (key === undefined) continue;
      const others = byKey.get(key);
      if (others === undefined) byKey.set(key, [one]);
      else others.push(one);
    }
    return byKey;
  };
  return {
    async replacedBy(record, input) {
      const key = isPersonal(record) ? workKeyOf(record) : undefined;
      if (key === undefined) return undefined;
      const gone = goneOf.get(record.source) ?? (await readGone(record.source, input));
      if (!goneOf.has(record.source)) {
        // Sources of small files are many.
        if (!isOneSource) goneOf.clear();
        goneOf.set(record.source, gone);
      }
      const candidates = gone.get(key) ?? [];
      if (candidates.length > CANDIDATES_MAX) return undefined;
      const found = candidates.filter((one) => isEdited(one, record));
      const [before] = found;
      if (before === undefined || found.length > 1) return undefined;
      if ((await builder.replacedBy(record)) !== undefined) return undefined;
      const others = candidates.filter((one) => one !== before);
      gone.set(key, others);
      return before.id;
    },
  };
}
