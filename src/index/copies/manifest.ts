/**
 * The manifest of a copy of the index: what the copy is, and the hash of each piece of its file. The
 * name of a copy holds the hash of its manifest, so a name stands for exactly one content.
 */
import { hash } from 'node:crypto';
import { VerbatimError } from '../../errors.ts';

/** The format of manifests, so that a later program can tell them apart. */
const FORMAT = 1;
/**
 * The bytes of a piece. Smaller pieces save transfer, because fewer unchanged bytes lie beside changed
 * ones, but the manifest is longer: 1 MB for an index of 16 GB.
 */
export const PIECE_BYTES = 1024 * 1024;
/** A manifest of larger pieces is refused, because some of them are in memory at the same time. */
const PIECE_BYTES_MAX = 16 * 1024 * 1024;
/** Beyond it, a file is no manifest: 64 MiB describe an index of about a terabyte. */
export const MANIFEST_BYTES_MAX = 64 * 1024 * 1024;

export interface Manifest {
  /** Counts the copies of a publisher. */
  number: number;
  /** The time of the copy in UTC. */
  publishedAt: string;
  /** The version of the tables: `PRAGMA user_version`. */
  tables: number;
  documents: number;
  /** The size of the file. */
  bytes: number;
  pieceBytes: number;
  /** The SHA-256 of each piece, in hexadecimal digits. The last piece may be shorter. */
  pieces: readonly string[];
}

/** The bytes of a piece in its file. */
export interface Piece {
  start: number;
  length: number;
  sha256: string;
}

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify({ format: FORMAT, ...manifest })}\n`;
}

/** Returns the name of a copy, such as `00000007-0f3a9c2d41b7`. */
export function copyName({ number }: Pick<Manifest, 'number'>, text: string): string {
  return `${String(number).padStart(8, '0')}-${hash('sha256', text).slice(0, 12)}`;
}

/** Whether a name can be that of a copy. */
export function isCopyName(name: string): boolean {
  return /^\d{8}-[\da-f]{12}$/.test(name);
}

/**
 * Reads a manifest. Throws `verify_failed` if it is not the manifest of the copy with this name, or
 * is of another format.
 */
export function parseManifest(text: string, name: string, path: string): Manifest {
  const manifest = parseObject(text);
  if (manifest === undefined) throw damaged(`${path} is not a manifest`);
  const { format } = manifest as { format?: unknown };
  if (format !== FORMAT) {
    throw damaged(`${path} has the format ${String(format)}; this version reads ${FORMAT}`);
  }
  if (!isWellFormed(manifest)) throw damaged(`${path} is not a manifest`);
  if (copyName(manifest, text) !== name) {
    throw damaged(`${path} is not the manifest of ${name}, or was changed`);
  }
  return manifest;
}

export function piecesOf({ bytes, pieceBytes, pieces }: Manifest): Piece[] {
  return pieces.map((sha256, index) => {
    const start = index * pieceBytes;
    return { start, length: Math.min(pieceBytes, bytes - start), sha256 };
  });
}

export function damaged(message: string): VerbatimError {
  return new VerbatimError('verify_failed', message);
}

/** Whether an error says that a copy, or a part of it, is missing or damaged. */
export function isDamage(error: unknown): error is VerbatimError {
  return error instanceof VerbatimError && error.code === 'verify_failed';
}

/** Returns undefined if what is read of a copy is missing or damaged. */
export async function ifWhole<Value>(
  read: () => Value | Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

function parseObject(text: string): Partial<Manifest> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function isWellFormed(value: Partial<Manifest>): value is Manifest {
  const { number, publishedAt, tables, documents, bytes, pieceBytes, pieces } = value;
  const counts = [number, tables, documents, bytes, pieceBytes];
  return (
    counts.every((count) => Number.isSafeInteger(count) && Number(count) >= 0) &&
    Number(pieceBytes) > 0 &&
    Number(pieceBytes) <= PIECE_BYTES_MAX &&
    typeof publishedAt === 'string' &&
    Array.isArray(pieces) &&
    pieces.length === Math.ceil(Number(bytes) / Number(pieceBytes)) &&
    pieces.every((sha256) => typeof sha256 === 'string' && /^[\da-f]{64}$/.test(sha256))
  );
}
