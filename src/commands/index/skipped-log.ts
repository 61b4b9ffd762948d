/** Writes the file of `index add --skipped`: one JSON line per bad record and per unread file. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { messageOf, VerbatimError } from '../../errors.ts';
import type { SkippedRecord } from '../../ingest/build.ts';
import type { PassedOver, PassReason } from '../../ingest/read/input.ts';
import type { SkipReason } from '../../ingest/read/packed-format.ts';

/** A line of the file. */
export interface SkippedLine {
  file: string;
  /** The line where the record starts, or its number in files without lines; absent for a file. */
  line?: number;
  /** The id of the record, if known. */
  id?: string;
  reason: SkipReason | PassReason | 'damaged';
  /** The reason in words. */
  text: string;
  /** The record as it stands in the file, if the format provides it. */
  raw?: string;
  /** The fields that were read, if there is no `raw`. */
  read?: object;
}

export interface SkippedLog {
  record(record: SkippedRecord): void;
  passedOver(input: PassedOver): void;
  fileFailed(file: string, error: unknown): void;
  close(): void;
}

export interface SkippedLogOptions {
  /** Longer records are not written out. */
  recordCharactersMax: number;
  /** Keeps the lines of an interrupted build. */
  isGoingOn: boolean;
}

/** Opens the file. Throws `unwritable_output` if it cannot be written, now or later. */
export function openSkippedLog(
  path: string,
  { recordCharactersMax, isGoingOn }: SkippedLogOptions,
): SkippedLog {
  const attempt = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw new VerbatimError('unwritable_output', `cannot write ${path}: ${messageOf(error)}`);
    }
  };
  const file = attempt(() => openSync(path, isGoingOn ? 'a' : 'w'));
  const write = (line: SkippedLine): void => {
    attempt(() => writeSync(file, `${JSON.stringify(line)}\n`));
  };
  return {
    record: (record) => write(lineOf(record, recordCharactersMax)),
    passedOver: ({ path: file, passedOver: reason, why: text }) => write({ file, reason, text }),
    fileFailed: (file, error) => write({ file, reason: 'damaged', text: messageOf(error) }),
    close: () => closeSync(file),
  };
}

function lineOf(skipped: SkippedRecord, charactersMax: number): SkippedLine {
  const { path, line, reason, problem, record: read, raw } = skipped;
  const id = read?.id ?? '';
  return {
    file: path,
    line,
    // Text that is too long is not an id.
    ...(id === '' || id.length > charactersMax ? {} : { id }),
    reason,
    text: problem,
    ...contentOf({ record: read, raw }, charactersMax),
  };
}

function contentOf(
  { record: read, raw }: Pick<SkippedRecord, 'record' | 'raw'>,
  charactersMax: number,
): Pick<SkippedLine, 'raw' | 'read'> {
  if (raw !== undefined) return raw.length <= charactersMax ? { raw } : {};
  if (read === undefined) return {};
  return JSON.stringify(read).length <= charactersMax ? { read } : {};
}
