/** How a file starts: what its format is recognized by. */
import type { Head } from './format.ts';
import { type ByteSource, HEAD_BYTES } from './source.ts';

export interface ReadHead extends Head {
  /** Why the file breaks off within its head, if it does. */
  failure?: unknown;
}

/** Reads the head of a file. Where the file breaks off within it, what came before is the head. */
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

/** The head of a file from its first bytes; `isWhole`: there is nothing behind them. */
export function headOf(content: Uint8Array, isWhole: boolean): Head {
  // A letter cut in two at the end is left out; bytes that are no UTF-8 are replaced.
  const text = new TextDecoder().decode(content, { stream: !isWhole });
  const lines = text.split(/\r?\n/);
  if (!isWhole) lines.pop();
  return { text, lines: lines.filter((line) => line.trim() !== '') };
}
