/** Whether a disk has room for what is written next. */
import { statfsSync } from 'node:fs';
import { VerbatimError } from '../errors.ts';
import { formatBytes } from '../text/format-bytes.ts';

/** Throws `unwritable_output` if the file system of a folder has less room. */
export function assertRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw new VerbatimError(
    'unwritable_output',
    `cannot write to ${folder}: ${formatBytes(bytes)} are needed, ${formatBytes(free)} are free`,
  );
}
