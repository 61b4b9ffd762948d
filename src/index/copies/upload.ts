/**
 * Uploads the newest copy of a folder to S3-compatible storage. Only pieces that are not there, or that
 * are damaged, are sent. The copy becomes the newest in the last step, unless somebody else has published meanwhile.
 */
import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { VerbatimError } from '../../errors.ts';
import { copyPaths, readManifest } from './copy-folder.ts';
import { isAt } from './copy-source.ts';
import { inParallel } from './in-parallel.ts';
import { damaged, ifWhole, type Manifest, type Piece, piecesOf } from './manifest.ts';
import type { LatestCopy, ListedPiece, ObjectCopies } from './object-copies.ts';

export interface UploadOptions {
  /** The folder with the copy. */
  folder: string;
  /** The name of the copy. */
  name: string;
  /** Copies to keep in the storage. */
  keep: number;
  /** Pieces that are sent at the same time, and objects that are deleted. */
  requestsMax: number;
  /**
   * Whether to read each piece in the storage. Otherwise one counts as whole if its size is right and,
   * where the storage lists MD5s, its MD5.
   */
  isRead: boolean;
  /** Called with the bytes that are known to be there. */
  onProgress: (bytes: number, bytesTotal: number) => void;
  signal: AbortSignal;
}

export interface Uploaded {
  sentBytes: number;
  /** Names of copies. */
  deleted: string[];
}

const HOUR_MS = 3_600_000;
/**
 * A piece that no copy needs may belong to an upload that goes on elsewhere. So it is deleted only when
 * it is older than an upload may take.
 */
const UNUSED_PIECE_MS = 24 * HOUR_MS;
/** A piece that an interrupted upload has left is not sent again while it is safe from deletion. */
const LEFT_PIECE_MS = 12 * HOUR_MS;

/**
 * Throws `storage_failed`, `verify_failed` if the folder is damaged, and `database_busy` if somebody else
 * has published meanwhile. Then the newest copy in the storage is another one, and whole.
 */
export async function uploadCopy(copies: ObjectCopies, options: UploadOptions): Promise<Uploaded> {
  const { folder, name, signal } = options;
  const { manifest, text } = readManifest(folder, name);
  const before = await copies.latest(signal);
  const sentBytes = await sendPieces(copies, { before, manifest }, options);
  await copies.putManifest(name, text, signal);
  await makeLatest(copies, { name, before }, signal);
  return { sentBytes, deleted: await deleteOld(copies, options) };
}

async function sendPieces(
  copies: ObjectCopies,
  { before, manifest }: { before: LatestCopy | undefined; manifest: Manifest },
  options: UploadOptions,
): Promise<number> {
  const { folder, name, requestsMax, isRead, onProgress, signal } = options;
  const there = await piecesThere(copies, before, signal);
  const isThere = async (piece: Piece, bytes: Buffer, either: AbortSignal): Promise<boolean> => {
    const found = there.get(piece.sha256);
    if (found?.bytes !== piece.length) return false;
    if (isRead) return (await ifWhole(() => copies.piece(piece, either))) !== undefined;
    return before?.isMd5 !== true || !isMd5(found.tag) || found.tag === hash('md5', bytes);
  };
  const pieces = new Map(piecesOf(manifest).map((piece) => [piece.sha256, piece]));
  const { database } = copyPaths(folder, name);
  const file = await open(database);
  const buffers = Array.from({ length: requestsMax }, () => Buffer.alloc(manifest.pieceBytes));
  let sent = 0;
  let done = 0;
  try {
    await inParallel(
      pieces.values(),
      { most: requestsMax, signal },
      async (piece, lane, either) => {
        const bytes = (buffers[lane] as Buffer<ArrayBuffer>).subarray(0, piece.length);
        if (!(await isAt(file, piece.start, { piece, bytes }))) {
          throw damaged(`${database} is damaged`);
        }
        if (!(await isThere(piece, bytes, either))) {
          await copies.putPiece(piece.sha256, bytes, either);
          sent += piece.length;
        }
        done += piece.length;
        onProgress(done, manifest.bytes);
      },
    );
  } finally {
    await file.close();
  }
  return sent;
}

function isMd5(tag: string): boolean {
  return /^[\da-f]{32}$/.test(tag);
}

/** The pieces that nobody deletes meanwhile, by their hashes. */
async function piecesThere(
  copies: ObjectCopies,
  before: LatestCopy | undefined,
  signal: AbortSignal,
): Promise<Map<string, ListedPiece>> {
  const used = before?.name === undefined ? new Set() : await usedBy(copies, before.name, signal);
  const there = new Map<string, ListedPiece>();
  for await (const piece of copies.pieces(signal)) {
    const { sha256, ageMs } = piece;
    if (used.has(sha256) || ageMs < LEFT_PIECE_MS) there.set(sha256, piece);
  }
  return there;
}

/** No pieces if the manifest is damaged: then all are sent, and the copy is whole again. */
async function usedBy(
  copies: ObjectCopies,
  name: string,
  signal: AbortSignal,
): Promise<Set<string>> {
  const found = await ifWhole(() => copies.manifest(name, signal));
  return new Set(found?.manifest.pieces);
}

async function makeLatest(
  copies: ObjectCopies,
  { name, before }: { name: string; before: LatestCopy | undefined },
  signal: AbortSignal,
): Promise<void> {
  if (before?.name === name || (await copies.setLatest(name, before, signal))) return;
  // The answer to the first of several attempts may have been lost.
  if ((await copies.latest(signal))?.name === name) return;
  throw new VerbatimError(
    'database_busy',
    `somebody else has published to ${copies.address} meanwhile; run the command again`,
  );
}

/**
 * Deletes copies until at most `keep` are left, the oldest first and never the newest, then the pieces
 * that no copy needs. A copy with a damaged manifest may need any piece, so then all of them stay.
 */
async function deleteOld(
  copies: ObjectCopies,
  { name: latest, keep, requestsMax: most, signal }: UploadOptions,
): Promise<string[]> {
  const others = (await copies.names(signal)).filter((name) => name !== latest);
  const old = others.slice(0, Math.max(0, others.length - (keep - 1)));
  await inParallel(old, { most, signal }, async (name, _lane, either) => {
    await copies.deleteManifest(name, either);
  });
  const used = new Set<string>();
  for (const name of [latest, ...others.slice(old.length)]) {
    const pieces = await usedBy(copies, name, signal);
    if (pieces.size === 0) return old;
    for (const sha256 of pieces) used.add(sha256);
  }
  const unused: string[] = [];
  for await (const { sha256, ageMs } of copies.pieces(signal)) {
    if (!used.has(sha256) && ageMs > UNUSED_PIECE_MS) unused.push(sha256);
  }
  await inParallel(unused, { most, signal }, async (sha256, _lane, either) => {
    await copies.deletePiece(sha256, either);
  });
  return old;
}
