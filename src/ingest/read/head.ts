/** Reads the head of a file, which shows its format. */
import type { Head } from './packed-format.ts';
import { type ByteSource, HEAD_BYTES } from './source.ts';

export interface ReadHead extends Head {
  /** The error if the file breaks off within its head. */
  failure?: unknown;
}

/** Reads the head of a file. If the file breaks off within it, the head is what came before. */
export async function readHead(source: ByteSource): Promise<ReadHead> {
  const parts: Buffer[] = [];
  let bytes = 0;
  let isWhole = true;
  let failure: unknown;
  try {
    for await (const chunk of source.chunks()) {
      parts.push(chunk);
      bytes += chunk.length;
      if (bytes <= HEAD_BYTES) continue;
      isWhole = false;
      break;
    }
  } catch (error) {
    if (bytes === 0) throw error;
    isWhole = false;
    failure = error;
  }
  return { ...headOf(Buffer.concat(parts).subarray(0, HEAD_BYTES), isWhole), failure };
}

/** The head of a file from its first bytes. `isWhole`: whether they are the whole file. */
export function headOf(content: Uint8Array, isWhole: boolean): Head {
  // A character cut at the end is dropped. Bytes that are not valid UTF-8 are replaced.
  const text = new TextDecoder().decode(content, { stream: !isWhole });
  const lines = text.split(/\r?\n/);
  if (!isWhole) lines.pop();
  return { text, lines: lines.filter((line) => line.trim() !== '') };
}
