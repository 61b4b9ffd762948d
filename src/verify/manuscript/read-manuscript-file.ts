/** Reads the files of a manuscript, which may come from anybody. */
import { realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf, VerbatimError } from '../../errors.ts';
import { isWithin } from '../../ingest/read/assert-within.ts';
import type { ByteSource } from '../../ingest/read/source.ts';
import { systemReason } from '../../ingest/read/system-reason.ts';

/** The whole text. Throws `unreadable_input` if it breaks off, is longer than the limit, or is no text. */
export async function readWhole(source: ByteSource, bytesMax: number): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source.chunks()) {
    bytes += chunk.length;
    parts.push(chunk);
    if (bytes <= bytesMax) continue;
    throw new VerbatimError('unreadable_input', `${source.path} is longer than ${bytesMax} bytes`);
  }
  const whole = Buffer.concat(parts);
  if (!whole.includes(0)) return whole.toString();
  throw new VerbatimError('unreadable_input', `${source.path} is not a text in UTF-8`);
}

/**
 * The path of a file that a manuscript names. Throws `unreadable_input` if there is none, or if it is not in
 * the folder of the manuscript, wherever links lead.
 */
export function pathBeside(manuscript: string, name: string, extension: string): string {
  const folder = dirname(manuscript);
  const path = join(folder, name.endsWith(extension) ? name : name + extension);
  try {
    if (!isWithin(realpathSync(folder), path)) throw new Error('it is in another folder');
    if (!statSync(path).isFile()) throw new Error('it is no file');
    return path;
  } catch (error) {
    const reason = error instanceof VerbatimError ? messageOf(error) : systemReason(error);
    throw new VerbatimError('unreadable_input', `cannot read ${path}: ${reason}`);
  }
}
