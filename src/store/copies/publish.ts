/**
 * Publishes the index of a database as a copy in a folder. The new copy starts as the newest earlier
 * one, in which only the changed rows are written, so that nodes fetch little of it.
 */
import { constants, existsSync, statfsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { VerbatimError } from '../../errors.ts';
import {
  copyPaths,
  deleteOldCopies,
  finishCopy,
  listCopies,
  makeFolder,
  makePartial,
  namingWriteError,
  partialPaths,
  readLatestIfAny,
  readManifest,
  removePartials,
} from './copy-folder.ts';
import { type CopiedIndex, copyTables, haveSameTables } from './copy-tables.ts';
import { hashPieces } from './hash-pieces.ts';
import { lockFolder } from './lock-folder.ts';
import { copyName, type Manifest, manifestText, PIECE_BYTES } from './manifest.ts';
import { checkCopy } from './open-copy.ts';

export interface PublishOptions {
  /** The database with the index. */
  database: string;
  /** Called between steps. What it throws ends the work. */
  beforeStep: () => void;
  lockWaitMs: number;
  /** Copies to keep in the folder. */
  keep: number;
  /** The least number of the copy, if there are others outside of the folder. Absent: 1. */
  numberMin?: number;
  /** Called with what it is doing, for people. */
  onProgress: (text: string) => void;
  signal: AbortSignal;
  now: () => Date;
}

export interface Published {
  name: string;
  manifest: Manifest;
  /** Bytes of the pieces that the copy before did not have. */
  newBytes: number;
  deleted: string[];
}

/**
 * Throws `database_busy` if another process writes to the folder, `unwritable_output` if the disk is
 * full, and what `beforeStep` and the signal throw. Then the folder is as it was before.
 */
export async function publishIndex(folder: string, options: PublishOptions): Promise<Published> {
  try {
    makeFolder(folder);
    const unlock = lockFolder(folder);
    try {
      removePartials(folder);
      return await publish(folder, options);
    } finally {
      removePartials(folder);
      unlock();
    }
  } catch (error) {
    throw namingWriteError(error, folder);
  }
}

async function publish(folder: string, options: PublishOptions): Promise<Published> {
  const { keep, numberMin = 1, onProgress, signal, now } = options;
  const numbers = listCopies(folder).map((name) => Number.parseInt(name, 10));
  const number = Math.max(numberMin, 1 + Math.max(0, ...numbers));
  const partial = partialPaths(folder, 'new');
  makePartial(partial);
  const before = await startFromLatest(folder, partial.database, options);
  const copied = await runSteps(copyTables(partial.database, sourceOf(options)), options);
  checkCopy(partial.database);
  const hashed = await hashPieces(partial.database, {
    pieceBytes: PIECE_BYTES,
    onProgress: (bytes) => onProgress(`hashing, ${Math.floor(bytes / 1e6)} MB done`),
    signal,
  });
  const manifest: Manifest = { number, publishedAt: now().toISOString(), ...copied, ...hashed };
  const text = manifestText(manifest);
  const name = copyName(manifest, text);
  finishCopy(folder, { partial, name, text });
  const known = new Set(before?.pieces);
  const fresh = manifest.pieces.filter((sha256) => !known.has(sha256)).length;
  const newBytes = Math.min(manifest.bytes, fresh * PIECE_BYTES);
  return { name, manifest, newBytes, deleted: deleteOldCopies(folder, keep) };
}

/** Puts the newest copy in the place of the new one, unless its tables are others. */
async function startFromLatest(
  folder: string,
  to: string,
  options: PublishOptions,
): Promise<Manifest | undefined> {
  const latest = readLatestIfAny(folder);
  if (latest === undefined) return undefined;
  const { database } = copyPaths(folder, latest);
  if (!existsSync(database) || !haveSameTables(database, sourceOf(options))) return undefined;
  const { manifest } = readManifest(folder, latest);
  assertRoom(folder, manifest.bytes);
  await copyFile(database, to, constants.COPYFILE_FICLONE);
  return manifest;
}

function sourceOf({ database, lockWaitMs }: PublishOptions) {
  return { from: database, lockWaitMs };
}

/** Throws `unwritable_output` if the disk has less room. */
export function assertRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= bytes) return;
  throw new VerbatimError(
    'unwritable_output',
    `cannot write to ${folder}: ${Math.ceil(bytes / 1e6)} MB are needed, but ` +
      `${Math.floor((bavail * bsize) / 1e6)} MB are free`,
  );
}

/** Runs all steps, and lets signals and timers have their turn in between. */
async function runSteps(
  steps: Generator<void, CopiedIndex>,
  { beforeStep, onProgress, signal }: PublishOptions,
): Promise<CopiedIndex> {
  try {
    for (let count = 0; ; count++) {
      signal.throwIfAborted();
      beforeStep();
      const step = steps.next();
      if (step.done) return step.value;
      onProgress(`copying, step ${count + 1}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    // Closes the database if a step was not reached.
    steps.return({ tables: 0, documents: 0 });
  }
}
