/**
 * Publishes the index of a database as a copy in a folder. The new copy starts as the newest earlier
 * one, in which only the changed rows are written, so that nodes fetch little of it. If nothing has
 * changed, there is no new copy. An earlier copy that is damaged is no start: what is wrong in it would
 * get a manifest that says it is right.
 */
import { constants } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { assertRoom } from '../assert-room.ts';
import { compareCopy } from './compare-copy.ts';
import {
  copyPaths,
  deleteOldCopies,
  finishCopy,
  listCopies,
  makeFolder,
  makeNewest,
  makePartial,
  namingWriteError,
  partialPaths,
  readLatest,
  readManifest,
  removePartials,
} from './copy-folder.ts';
import { type CopiedIndex, copyTables, haveSameTables } from './copy-tables.ts';
import { hashPieces } from './hash-pieces.ts';
import { lockFolder } from './lock-folder.ts';
import { copyName, ifWhole, type Manifest, manifestText, PIECE_BYTES } from './manifest.ts';
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
  /** False if nothing has changed: then it is the copy from before. */
  isNew: boolean;
  /** What was damaged in the copy before, one sentence each. */
  damage: string[];
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
  const { before, damage } = await startFromLatest(folder, partial.database, options);
  const copied = await runSteps(copyTables(partial.database, sourceOf(options)), options);
  checkCopy(partial.database);
  const hashed = await hashPieces(partial.database, {
    pieceBytes: PIECE_BYTES,
    onProgress: (bytes) => onProgress(`hashing, ${Math.floor(bytes / 1e6)} MB done`),
    signal,
  });
  const content = { ...copied, ...hashed };
  if (before !== undefined && hasContent(before.manifest, content)) {
    const latest = await ifWhole(() => readLatest(folder));
    if (latest !== before.name) makeNewest(folder, before.name);
    const deleted = deleteOldCopies(folder, keep);
    return { ...before, isNew: false, damage, newBytes: 0, deleted };
  }
  const manifest: Manifest = { number, publishedAt: now().toISOString(), ...content };
  const text = manifestText(manifest);
  const name = copyName(manifest, text);
  finishCopy(folder, { partial, name, text });
  const known = new Set(before?.manifest.pieces);
  const fresh = manifest.pieces.filter((sha256) => !known.has(sha256)).length;
  const newBytes = Math.min(manifest.bytes, fresh * PIECE_BYTES);
  const deleted = deleteOldCopies(folder, keep);
  return { name, manifest, isNew: true, damage, newBytes, deleted };
}

function hasContent(
  { tables, documents, bytes, pieceBytes, pieces }: Manifest,
  content: Omit<Manifest, 'number' | 'publishedAt'>,
): boolean {
  return isDeepStrictEqual({ tables, documents, bytes, pieceBytes, pieces }, content);
}

interface Start {
  /** The copy that the new one starts as; absent if it starts anew. */
  before?: Pick<Published, 'name' | 'manifest'>;
  damage: string[];
}

/** Puts the newest copy in the place of the new one, unless it is damaged or its tables are others. */
async function startFromLatest(
  folder: string,
  to: string,
  options: PublishOptions,
): Promise<Start> {
  const { onProgress, signal } = options;
  // The last one, if what names the newest is damaged.
  const name = (await ifWhole(() => readLatest(folder))) ?? listCopies(folder).at(-1);
  if (name === undefined) return { damage: [] };
  const { database } = copyPaths(folder, name);
  const afterPiece = (bytes: number): void =>
    onProgress(`comparing, ${Math.floor(bytes / 1e6)} MB done`);
  const damage = await compareCopy(folder, { afterPiece, signal }, name);
  if (damage.length > 0 || !haveSameTables(database, sourceOf(options))) return { damage };
  const { manifest } = readManifest(folder, name);
  assertRoom(folder, manifest.bytes);
  await copyFile(database, to, constants.COPYFILE_FICLONE);
  return { before: { name, manifest }, damage };
}

function sourceOf({ database, lockWaitMs }: PublishOptions) {
  return { from: database, lockWaitMs };
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
