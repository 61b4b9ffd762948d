/** Compares the file of a copy with its manifest, piece by piece. */
import { open } from 'node:fs/promises';
import { messageOf } from '../../errors.ts';
import { copyPaths, readLatest, readManifest } from './copy-folder.ts';
import { isAt } from './copy-source.ts';
import { damaged, isDamage, type Manifest, type Piece, piecesOf } from './manifest.ts';

export interface CompareOptions {
  /** Awaited after each piece with the bytes that were read so far, for progress and for pauses. */
  afterPiece: (bytes: number) => unknown;
  /** Ends the work; throws the signal's reason. */
  signal: AbortSignal;
}

/** A file with more is best fetched as a whole. */
const PROBLEMS_MAX = 100;

/**
 * Returns one sentence for each run of damaged pieces, the first hundred of them, or for what else is
 * damaged or missing; none if the copy is whole. Reads the whole file, and no more of it at a time than a
 * piece. Without a name, it is the newest copy.
 */
export async function compareCopy(
  folder: string,
  options: CompareOptions,
  name?: string,
): Promise<string[]> {
  try {
    const copy = name ?? readLatest(folder);
    const { manifest } = readManifest(folder, copy);
    return await compareFile(copyPaths(folder, copy).database, manifest, options);
  } catch (error) {
    if (isDamage(error)) return [error.message];
    throw error;
  }
}

async function compareFile(
  path: string,
  manifest: Manifest,
  { afterPiece, signal }: CompareOptions,
): Promise<string[]> {
  const file = await open(path).catch((error: unknown) => {
    throw damaged(`cannot read ${path}: ${messageOf(error)}`);
  });
  const runs: Piece[] = [];
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(manifest.pieceBytes);
    for (const piece of piecesOf(manifest)) {
      signal.throwIfAborted();
      const bytes = buffer.subarray(0, piece.length);
      if (!(await isAt(file, piece.start, { piece, bytes }))) addTo(runs, piece);
      if (runs.length === PROBLEMS_MAX) break;
      await afterPiece(piece.start + piece.length);
    }
    const problems = runs.map(({ start, length }) => notThose(path, start, length));
    if (size <= manifest.bytes) return problems;
    return [`${path} has ${size} bytes; its manifest says ${manifest.bytes}`, ...problems];
  } finally {
    await file.close();
  }
}

/** Says which bytes of a file are damaged. */
function notThose(path: string, start: number, length: number): string {
  return `${path}: bytes ${start} to ${start + length - 1} are not those of its manifest`;
}

function addTo(runs: Piece[], piece: Piece): void {
  const last = runs.at(-1);
  if (last && last.start + last.length === piece.start) last.length += piece.length;
  else runs.push({ ...piece });
}
