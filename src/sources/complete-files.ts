/** Files that are all of their source: which records of the index came from them and are not in them. */
import { normalize } from 'node:path';
import { VerbatimError } from '../errors.ts';
import type { Source } from '../identity/kept-record.ts';
import type { RecordLists } from '../index/records/record-lists.ts';
import type { FileNumber } from '../index/records/source-files.ts';
import type { NameSet } from '../ingest/name-set.ts';
import { type Input, isFile, type PassedOver } from '../ingest/read/input.ts';
import type { ListPages } from './remove-unlisted.ts';

export interface CompleteFiles {
  names: NameSet;
  /** Of tables and bibliographies, the source decides, whatever its files are called now. */
  personal: ReadonlySet<Source>;
  /** Of the others, the path of the file, as it was typed. */
  isInFiles: (path: string) => boolean;
  passedOver: readonly PassedOver[];
}

/** Returns a function that tells whether a path is one of these files, in an archive, or below a folder. */
export function pathsOf(paths: readonly string[], inputs: readonly Input[]): typeof isIn {
  const files = new Set(inputs.filter(isFile).map(({ path }) => path));
  // As the paths of the files in a folder begin.
  const named = paths.map((path) => normalize(path).replace(/\/+$/, ''));
  const isIn = (path: string): boolean =>
    files.has(path) ||
    files.has(path.split('!', 1)[0] as string) ||
    named.some((one) => path.startsWith(`${one}/`) || path.startsWith(`${one}!`));
  return isIn;
}

/**
 * The records of the index that came from these files, compared with what is in them now. Rejects with
 * `unreadable_input` if one of the files that had records was passed over.
 */
export function completeList(complete: CompleteFiles, lists: RecordLists): ListPages {
  const { names, personal } = complete;
  return async function* pages() {
    for (const source of personal) {
      for (let after = 0; ; ) {
        const records = await lists.listPersonal(source, after);
        const last = records.at(-1);
        if (last === undefined) break;
        after = last.document as number;
        yield pageOf(records.map(({ record }) => record));
      }
    }
    const files = await filesOf(complete, lists);
    const range = { first: Math.min(...files), last: Math.max(...files) };
    for (let after = 0; files.size > 0; ) {
      const records = await lists.listRecords(range, after);
      const last = records.at(-1);
      if (last === undefined) break;
      after = last.number;
      const own = records.filter(
        ({ file, record }) => files.has(file as FileNumber) && !personal.has(record.source),
      );
      yield pageOf(own.map(({ record }) => record));
    }
  };

  function pageOf<Page extends Parameters<NameSet['has']>[0] & { title: string }>(
    records: readonly Page[],
  ) {
    return { records: records.length, unlisted: records.filter((one) => !names.has(one)) };
  }
}

async function filesOf(
  { isInFiles, passedOver }: CompleteFiles,
  lists: RecordLists,
): Promise<Set<FileNumber>> {
  const reasons = new Map(
    passedOver
      .filter((one) => one.passedOver !== 'read_already')
      .map(({ path, why }) => [path, why]),
  );
  const own = new Set<FileNumber>();
  for (let after = 0; ; ) {
    const files = await lists.listFiles(after);
    const last = files.at(-1);
    if (last === undefined) return own;
    after = last.number;
    for (const { number, path } of files) {
      if (!isInFiles(path)) continue;
      own.add(number);
      const why = reasons.get(path);
      if (why !== undefined)
        throw notComplete(`${path} had records, and now it is passed over: ${why}`);
    }
  }
}

/** The error of files that cannot be all of their source. */
export function notComplete(why: string): VerbatimError {
  const message = `nothing was added or removed, because the files do not show all of their source: ${why}`;
  return new VerbatimError('unreadable_input', message);
}
