/**
 * Fetches the newest copy of an index into a folder. Only pieces that the newest copy there does not
 * have are read from the source. Every piece is checked before it is written. An interrupted fetch goes
 * on where it ended. The new copy gets its name, and becomes the newest, only when it is whole. If the
 * newest copy is there already, it is compared with its manifest, and replaced if it is damaged.
 */
import { constants, existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { assertRoom } from '../assert-room.ts';
import { compareCopy } from './compare-copy.ts';
import {
  copyPaths,
  deleteOldCopies,
  finishCopy,
  makeFolder,
  makePartial,
  namingWriteError,
  partialPaths,
  readLatest,
  readManifest,
  removePartials,
} from './copy-folder.ts';
import { type CopySource, isAt } from './copy-source.ts';
import { inParallel } from './in-parallel.ts';
import { lockFolder } from './lock-folder.ts';
import { ifWhole, type Manifest, type Piece, piecesOf } from './manifest.ts';
import { checkCopy } from './open-copy.ts';

export interface PullOptions {
  /** The copies to fetch from. */
  from: CopySource;
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
  /** What was damaged in it, one sentence each. It is whole now. */
  damage: string[];
  /** Bytes that were read from the source. */
  fetchedBytes: number;
  deleted: string[];
}

interface FoundCopy {
  name: string;
  manifest: Manifest;
  text: string;
}

/**
 * Throws `verify_failed` if the source is damaged or has no copy, `storage_failed` if it cannot be
 * reached, `database_busy` if another process
 * writes to the folder, `unwritable_output` if the disk is full, and `migration_needed` if this
 * version of the program cannot read the copy. Then the newest copy in the folder is as before.
 */
export async function pullIndex(folder: string, options: PullOptions): Promise<Pulled> {
  const { from, signal } = options;
  const name = await from.latest(signal);
  const found = { name, ...(await from.manifest(name, signal)) };
  const { manifest } = found;
  try {
    makeFolder(folder);
    const unlock = lockFolder(folder);
    try {
      const isNew = (await ifWhole(() => readLatest(folder))) !== name;
      const afterPiece = (bytes: number): void => options.onProgress(bytes, manifest.bytes);
      const damage = isNew ? [] : await compareCopy(folder, { afterPiece, signal }, name);
      if (!isNew && damage.length === 0) {
        removePartials(folder);
        return { name, manifest, isNew, damage, fetchedBytes: 0, deleted: [] };
      }
      const fetchedBytes = await fetchCopy(folder, found, options);
      const deleted = deleteOldCopies(folder, options.keep);
      return { name, manifest, isNew, damage, fetchedBytes, deleted };
    } finally {
      unlock();
    }
  } catch (error) {
    throw namingWriteError(error, folder);
  }
}

async function fetchCopy(
  folder: string,
  found: FoundCopy,
  { from, onProgress, signal }: PullOptions,
): Promise<number> {
  const { name, manifest, text } = found;
  removePartials(folder, name);
  const partial = partialPaths(folder, name);
  makePartial(partial);
  const target = await open(partial.database, constants.O_RDWR | constants.O_CREAT, 0o644);
  const local = await openLocalPieces(folder, found);
  const source = from.open(name);
  const buffers = Array.from({ length: from.readsMax }, () => Buffer.alloc(manifest.pieceBytes));
  let fetchedBytes = 0;
  try {
    const { size } = await target.stat();
    assertRoom(folder, manifest.bytes - Math.min(size, manifest.bytes));
    const options = { most: from.readsMax, signal };
    await inParallel(piecesOf(manifest), options, async (piece, lane, either) => {
      const bytes = (buffers[lane] as Buffer).subarray(0, piece.length);
      onProgress(piece.start, manifest.bytes);
      // What an interrupted fetch has left.
      if (await isAt(target, piece.start, { piece, bytes })) return;
      if (!(await local?.read(piece, bytes))) {
        await source.read(piece, bytes, either);
        fetchedBytes += piece.length;
      }
      await writeWhole(target, bytes, piece.start);
    });
    await target.truncate(manifest.bytes);
    onProgress(manifest.bytes, manifest.bytes);
  } finally {
    await Promise.all([target.close(), local?.close(), source.close()]);
  }
  checkCopy(partial.database);
  finishCopy(folder, { partial, name, text });
  return fetchedBytes;
}

/** The pieces of the newest own copy, by their hashes. */
interface LocalPieces {
  /** Returns whether the piece is there. */
  read(piece: Piece, bytes: Buffer): Promise<boolean>;
  close(): Promise<void>;
}

async function openLocalPieces(folder: string, found: FoundCopy): Promise<LocalPieces | undefined> {
  const latest = await ifWhole(() => readLatest(folder));
  if (latest === undefined || !existsSync(copyPaths(folder, latest).database)) return undefined;
  const manifest =
    latest === found.name
      ? found.manifest
      : (await ifWhole(() => readManifest(folder, latest)))?.manifest;
  if (manifest === undefined) return undefined;
  const startOf = new Map(piecesOf(manifest).map(({ sha256, start }) => [sha256, start]));
  const file = await open(copyPaths(folder, latest).database);
  return {
    async read(piece, bytes) {
      const start = startOf.get(piece.sha256);
      return start !== undefined && (await isAt(file, start, { piece, bytes }));
    },
    close: () => file.close(),
  };
}

async function writeWhole(file: FileHandle, bytes: Buffer, start: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, start + done);
    done += bytesWritten;
  }
}
