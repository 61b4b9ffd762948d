/** Where copies of an index are fetched from. */
import { hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { messageOf } from '../../errors.ts';
import { copyPaths, readLatest, readManifest } from './copy-folder.ts';
import { damaged, type Manifest, type Piece } from './manifest.ts';

export interface CopySource {
  /** Returns the name of the newest copy. Throws `verify_failed` if there is none. */
  latest(signal: AbortSignal): Promise<string>;
  /** Throws `verify_failed` if the manifest is missing or damaged. */
  manifest(name: string, signal: AbortSignal): Promise<{ manifest: Manifest; text: string }>;
  /** Pieces that are read at the same time. */
  readonly readsMax: number;
  open(name: string): OpenCopySource;
}

export interface OpenCopySource {
  /**
   * Reads a piece into `bytes`, which are as long. Throws `verify_failed` if it is missing or not the
   * one of the manifest.
   */
  read(piece: Piece, bytes: Buffer, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The copies in a folder. */
export function folderSource(folder: string): CopySource {
  return {
    latest: async () => readLatest(folder),
    manifest: async (name) => readManifest(folder, name),
    readsMax: 1,
    open(name) {
      const { database } = copyPaths(folder, name);
      let file: FileHandle | undefined;
      return {
        async read(piece, bytes) {
          file ??= await openSource(database);
          if (await isAt(file, piece.start, { piece, bytes })) return;
          const last = piece.start + piece.length - 1;
          throw damaged(
            `${database} is damaged: bytes ${piece.start} to ${last} are not those of its manifest`,
          );
        },
        close: async () => file?.close(),
      };
    },
  };
}

/**
 * Reads the bytes at a place of a file into `bytes`. Returns whether they are those of the piece. What
 * the disk cannot read is not.
 */
export async function isAt(
  file: Pick<FileHandle, 'read'>,
  start: number,
  { piece, bytes }: { piece: Piece; bytes: Buffer },
): Promise<boolean> {
  try {
    const { bytesRead } = await file.read(bytes, 0, piece.length, start);
    return bytesRead === piece.length && hash('sha256', bytes) === piece.sha256;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EIO') return false;
    throw error;
  }
}

async function openSource(database: string): Promise<FileHandle> {
  try {
    return await open(database);
  } catch (error) {
    throw damaged(`cannot read ${database}: ${messageOf(error)}`);
  }
}
