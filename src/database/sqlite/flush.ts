/** Forces what was written to the disk. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Keeps the bytes of a file, or the names in a folder, through a loss of power. Throws what the file system says. */
export function flush(path: string): void {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
