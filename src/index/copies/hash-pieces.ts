/** Hashes a file piece by piece. */
import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Manifest } from './manifest.ts';

export interface HashOptions {
  pieceBytes: number;
  onProgress: (bytes: number) => void;
  /** Ends the work; throws the signal's reason. */
  signal: AbortSignal;
}

/** Returns the size of a file and the SHA-256 of each of its pieces. */
export async function hashPieces(
  path: string,
  { pieceBytes, onProgress, signal }: HashOptions,
): Promise<Pick<Manifest, 'bytes' | 'pieceBytes' | 'pieces'>> {
  const file = await open(path);
  try {
    const { size: bytes } = await file.stat();
    const buffer = Buffer.alloc(pieceBytes);
    const pieces: string[] = [];
    for (let start = 0; start < bytes; start += pieceBytes) {
      signal.throwIfAborted();
      const length = Math.min(pieceBytes, bytes - start);
      await file.read(buffer, 0, length, start);
      pieces.push(hash('sha256', buffer.subarray(0, length)));
      onProgress(start + length);
    }
    return { bytes, pieceBytes, pieces };
  } finally {
    await file.close();
  }
}
