/**
 * Writes a zip archive while its files are read, so that no file is in memory at once. Only this file
 * uses the library.
 */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export interface ZippedFile {
  /** With `/` between folders. */
  name: string;
  pieces: AsyncIterable<string> | Iterable<string>;
}

/**
 * Yields the archive. Opens a file when the ones before it are complete. Throws what a file throws, and
 * closes the file that it reads when its own reader stops.
 */
export async function* zipArchive(
  files: Iterable<ZippedFile>,
  modifiedAt: number,
): AsyncGenerator<Buffer> {
  const archive = new ZipFile();
  const output = archive.outputStream as Readable;
  let open: Readable | undefined;
  // The library does not watch the streams that it reads.
  const fail = (error: Error): unknown => output.destroy(error);
  archive.on('error', fail);
  for (const { name, pieces } of files) {
    archive.addReadStreamLazy(name, { mtime: new Date(modifiedAt) }, (give) => {
      // The reader may stop between two files.
      if (output.destroyed) return;
      open = Readable.from(bytesOf(pieces), { objectMode: false }).on('error', fail);
      give(null, open);
    });
  }
  archive.end();
  try {
    yield* output;
  } finally {
    open?.destroy();
  }
}

/** A stream of bytes takes an empty piece for its end, so there must be none. */
async function* bytesOf(pieces: ZippedFile['pieces']): AsyncGenerator<Buffer> {
  for await (const piece of pieces) if (piece !== '') yield Buffer.from(piece);
}
