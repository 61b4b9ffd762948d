/**
 * Fetches the newest copy of an index from a folder into another. Only pieces that the newest copy
 * there does not have are read from the source. Every piece is checked before it is written. An
 * interrupted fetch goes on where it ended. The new copy gets its name, and becomes the newest, only
 * when it is whole.
 */

import { hash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { messageOf } from '../../errors.ts';
import {
  copyPaths,
  deleteOldCopies,
  finishCopy,
  makeFolder,
  makePartial,
  namingWriteError,
  partialPaths,
  readLatest,
  readLatestIfAny,
  readManifest,
  removePartials,
} from './copy-folder.ts';
import { lockFolder } from './lock-folder.ts';
import { damaged, type Manifest, type Piece, piecesOf } from './manifest.ts';
import { checkCopy } from './open-copy.ts';
import { assertRoom } from './publish.ts';

export interface PullOptions {
  /** The folder with the copies to fetch from. */
  from: string;
  /** Copies to keep in the own folder. */
  keep: number;
  onProgress: (bytes: number, bytesTotal: number) => void;
  signal: AbortSignal;
}

export interface Pulled {
  name: string;
  manifest: Manifest;
  /** False if the folder had the newest copy already. */
  isNew: boolean;
  /** Bytes that were read from the source. */
  fetchedBytes: number;
  deleted: string[];
}

/**
 * Throws `verify_failed` if the source is damaged or has no copy, `database_busy` if another process
 * writes to the folder, `unwritable_output` if the disk is full, and `migration_needed` if this
 * version of the program cannot read the copy. Then the newest copy in the folder is as before.
 */
export async function pullIndex(folder: string, options: PullOptions): Promise<Pulled> {
  const name = readLatest(options.from);
  const { manifest, text } = readManifest(options.from, name);
  try {
    makeFolder(folder);
    const unlock = lockFolder(folder);
    try {
      if (readLatestIfAny(folder) === name) {
        return { name, manifest, isNew: false, fetchedBytes: 0, deleted: [] };
      }
      const fetchedBytes = await fetchCopy(folder, { name, manifest, text }, options);
      const deleted = deleteOldCopies(folder, options.keep);
      return { name, manifest, isNew: true, fetchedBytes, deleted };
    } finally {
      unlock();
    }
  } catch (error) {
    throw namingWriteError(error, folder);
  }
}

async function fetchCopy(
  folder: string,
  { name, manifest, text }: { name: string; manifest: Manifest; text: string },
  { from, onProgress, signal }: PullOptions,
): Promise<number> {
  removePartials(folder, name);
  const partial = partialPaths(folder, name);
  makePartial(partial);
  const target = await open(partial.database, constants.O_RDWR | constants.O_CREAT, 0o644);
  const local = await openLocalPieces(folder);
  let source: FileHandle | undefined;
  let fetchedBytes = 0;
  try {
    const { size } = await target.stat();
    assertRoom(folder, manifest.bytes - Math.min(size, manifest.bytes));
    const buffer = Buffer.alloc(manifest.pieceBytes);
    for (const piece of piecesOf(manifest)) {
      signal.throwIfAborted();
      const bytes = buffer.subarray(0, piece.length);
      onProgress(piece.start, manifest.bytes);
      // What an interrupted fetch has left.
      if (await isAt(target, piece.start, { piece, bytes })) continue;
      const known = local?.startOf.get(piece.sha256);
      const isKnown =
        local !== undefined &&
        known !== undefined &&
        (await isAt(local.file, known, { piece, bytes }));
      if (!isKnown) {
        source ??= await openSource(from, name);
        if (!(await isAt(source, piece.start, { piece, bytes }))) {
          const { database } = copyPaths(from, name);
          throw damaged(
            `${database} is damaged: bytes ${piece.start} to ${piece.start + piece.length - 1} are ` +
              'not those of its manifest',
          );
        }
        fetchedBytes += piece.length;
      }
      await writeWhole(target, bytes, piece.start);
    }
    await target.truncate(manifest.bytes);
    onProgress(manifest.bytes, manifest.bytes);
  } finally {
    await Promise.all([target.close(), local?.file.close(), source?.close()]);
  }
  checkCopy(partial.database);
  finishCopy(folder, { partial, name, text });
  return fetchedBytes;
}

/** The pieces of the newest own copy, by their hashes. */
interface LocalPieces {
  file: FileHandle;
  startOf: Map<string, number>;
}

async function openLocalPieces(folder: string): Promise<LocalPieces | undefined> {
  const latest = readLatestIfAny(folder);
  if (latest === undefined || !existsSync(copyPaths(folder, latest).database)) return undefined;
  const { manifest } = readManifest(folder, latest);
  const startOf = new Map(piecesOf(manifest).map(({ sha256, start }) => [sha256, start]));
  return { file: await open(copyPaths(folder, latest).database), startOf };
}

async function openSource(from: string, name: string): Promise<FileHandle> {
  const { database } = copyPaths(from, name);
  try {
    return await open(database);
  } catch (error) {
    throw damaged(`cannot read ${database}: ${messageOf(error)}`);
  }
}

/** Reads the bytes at a place of a file into `bytes`. Returns whether they are those of the piece. */
async function isAt(
  file: FileHandle,
  start: number,
  { piece, bytes }: { piece: Piece; bytes: Buffer },
): Promise<boolean> {
  const { bytesRead } = await file.read(bytes, 0, piece.length, start);
  return bytesRead === piece.length && hash('sha256', bytes) === piece.sha256;
}

async function writeWhole(file: FileHandle, bytes: Buffer, start: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, start + done);
    done += bytesWritten;
  }
}
