/**
 * Going on after an interruption: which entries of a file the interrupted build has dealt with, and
 * how far this one has come.
 *
 * Entries are dealt with in order, but for those whose texts are still being embedded. So a file's
 * checkpoint is the first entry that is not written yet, and holds together with the documents of
 * the same transaction. A build that comes to its end leaves none: the same command again then looks
 * at everything, as what an earlier build skipped may be taken now, and what was removed comes back.
 */
import { createHash } from 'node:crypto';
import type { Checkpoint, CheckpointTable } from '../store/index/records/checkpoints.ts';
import type { SourceFile } from '../store/index/records/source-files.ts';
import { readHead } from './read/head.ts';
import type { ByteSource } from './read/source.ts';

/**
 * Raise it with every change of how any format divides a file into entries: a checkpoint counts
 * entries, so one of another number is not used.
 */
const ENTRIES_REVISION = 1;

/** How far a file has been read. */
export interface FilePosition {
  file: SourceFile;
  /** Undefined where it can be read only once, as a pipe: it has no checkpoint. */
  identity: Buffer | undefined;
  entriesRead: number;
  /** There are no more. */
  isAtEnd: boolean;
}

/** An entry that is not written yet. */
export interface UnwrittenEntry {
  position: FilePosition;
  /** From 1. */
  entry: number;
}

export interface Resumption {
  /** What an interrupted build had dealt with of a file. Files must be asked for in their order. */
  resumeFrom(position: FilePosition): { entries: number; isDone: boolean };
  /** Notes how far this build has come; `first`: the first entry that is not written. */
  save(first: UnwrittenEntry | undefined): void;
  /** To be told when there is nothing to go on with. */
  finish(): void;
}

/**
 * Records that do not say how old they are replace each other in the order of the files. So only
 * the files before the first one that is not done, and that one, are gone on with: what came later
 * then comes later again.
 */
export function createResumption(table: CheckpointTable): Resumption {
  const stored = new Map(table.read().map((checkpoint) => [nameOf(checkpoint.file), checkpoint]));
  const resumed: SourceFile[] = [];
  let isResuming = true;
  let positions: FilePosition[] = [];
  return {
    resumeFrom(position) {
      const { file, identity } = position;
      positions.push(position);
      if (!isResuming) return { entries: 0, isDone: false };
      const { entries, isDone } = checkpointOf(stored.get(nameOf(file)), identity);
      stored.delete(nameOf(file));
      if (entries > 0 || isDone) resumed.push(file);
      if (!isDone) {
        isResuming = false;
        table.keepOnly(resumed);
      }
      return { entries, isDone };
    },
    save(first) {
      const at = first === undefined ? positions.length : positions.indexOf(first.position);
      const checkpoints = positions.slice(0, at).map(positionReached);
      if (first !== undefined) {
        const { position, entry } = first;
        checkpoints.push({ ...position, entries: entry - 1, isDone: false });
      }
      table.put(checkpoints.filter(isOfFile));
      positions = positions.filter(({ isAtEnd }, index) => index >= at || !isAtEnd);
    },
    finish: () => table.keepOnly([]),
  };
}

function nameOf({ path, format }: SourceFile): string {
  return JSON.stringify([path, format]);
}

function checkpointOf(checkpoint: Checkpoint | undefined, identity: Buffer | undefined) {
  if (checkpoint !== undefined && identity?.equals(checkpoint.identity)) return checkpoint;
  return { entries: 0, isDone: false };
}

type MaybeCheckpoint = Omit<Checkpoint, 'identity'> & Pick<FilePosition, 'identity'>;

function positionReached(position: FilePosition): MaybeCheckpoint {
  return { ...position, entries: position.entriesRead, isDone: position.isAtEnd };
}

function isOfFile(checkpoint: MaybeCheckpoint): checkpoint is Checkpoint {
  return checkpoint.identity !== undefined;
}

/**
 * Tells whether a file, and the way to read it, are still the same: by its size, its time, its
 * start, what it is called, the format, the encoding, the limits, the choice of records, and how
 * formats divide files into entries.
 */
export async function identityOf(
  source: ByteSource,
  reading: {
    format: string;
    encoding: string | undefined;
    name: string;
    limits: object;
    selection?: object;
  },
): Promise<Buffer | undefined> {
  if (source.modifiedAt === 0) return undefined;
  const { bytes, modifiedAt } = source;
  const { text } = await readHead(source);
  return createHash('sha256')
    .update(JSON.stringify([ENTRIES_REVISION, bytes, modifiedAt, reading, text]))
    .digest();
}
