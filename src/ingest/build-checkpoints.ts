/**
 * Resumes interrupted builds: remembers how many entries of each file have been processed.
 *
 * Entries are processed in order, except those whose texts are still being embedded. So the
 * checkpoint of a file is its first unwritten entry, saved in the transaction that writes the
 * documents before it. A finished build leaves no checkpoints: the same command then reads
 * everything again, because it may accept what was skipped before and must take back what was restored.
 */
import { createHash } from 'node:crypto';
import type { CheckpointStore } from '../index/ports/index-builder.ts';
import type { Checkpoint } from '../index/records/checkpoints.ts';
import type { SourceFile } from '../index/records/source-files.ts';
import { readHead } from './read/head.ts';
import type { ByteSource } from './read/source.ts';

/**
 * Raise it whenever a format divides files into entries differently. Checkpoints count entries, so
 * those with another revision are not used.
 */
const ENTRIES_REVISION = 3;

/** How far a file has been read. */
export interface FilePosition {
  file: SourceFile;
  /** Undefined for input that can be read only once, such as a pipe. It has no checkpoint. */
  identity: Buffer | undefined;
  entriesRead: number;
  /** Whether all entries have been read. */
  isAtEnd: boolean;
}

/** An entry that is not written yet. */
export interface UnwrittenEntry {
  position: FilePosition;
  /** From 1. */
  entry: number;
}

export interface Resumption {
  /** What an interrupted build has processed of a file. Call it for the files in their order. */
  resumeFrom(position: FilePosition): Promise<{ entries: number; isDone: boolean }>;
  /** Returns how far this build has come. `first`: the first unwritten entry. */
  reached(first: UnwrittenEntry | undefined): Checkpoint[];
  /** Call it when the checkpoints that `reached` returned are saved. */
  saved(first: UnwrittenEntry | undefined): void;
  /** Call it when the build is complete. */
  finish(): Promise<void>;
}

/**
 * Records without an update time replace each other in the order of the files. So a build resumes
 * only the files up to the first unfinished one; later files are read again, after it.
 */
export async function createResumption(store: CheckpointStore): Promise<Resumption> {
  const before = await store.readCheckpoints();
  const stored = new Map(before.map((checkpoint) => [nameOf(checkpoint.file), checkpoint]));
  const resumed: SourceFile[] = [];
  let isResuming = true;
  let positions: FilePosition[] = [];
  /** The place of the first file that is not written to its end. */
  const placeOf = (first: UnwrittenEntry | undefined): number =>
    first === undefined ? positions.length : positions.indexOf(first.position);
  return {
    async resumeFrom(position) {
      const { file, identity } = position;
      positions.push(position);
      if (!isResuming) return { entries: 0, isDone: false };
      const { entries, isDone } = checkpointOf(stored.get(nameOf(file)), identity);
      stored.delete(nameOf(file));
      if (entries > 0 || isDone) resumed.push(file);
      if (!isDone) {
        isResuming = false;
        await store.keepCheckpoints(resumed);
      }
      return { entries, isDone };
    },
    reached(first) {
      const checkpoints = positions.slice(0, placeOf(first)).map(positionReached);
      if (first !== undefined) {
        const { position, entry } = first;
        checkpoints.push({ ...position, entries: entry - 1, isDone: false });
      }
      return checkpoints.filter(isOfFile);
    },
    saved(first) {
      const at = placeOf(first);
      positions = positions.filter(({ isAtEnd }, index) => index >= at || !isAtEnd);
    },
    finish: () => store.keepCheckpoints([]),
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
 * Identifies a file and the way it is read: size, time, and start of the file, its name, the format,
 * the encoding, the limits, the selection, and the revision of entries.
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
