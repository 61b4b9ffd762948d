/** A shared view of blobs that lie in one memory. */

let last: DataView<ArrayBufferLike> = new DataView(new ArrayBuffer(0));

/**
 * Returns a view of the whole memory that a blob lies in; the blob starts at its `byteOffset`. The
 * blobs of a search share one memory, and a view for each would cost more than reading them.
 */
export function viewOf(blob: Uint8Array): DataView {
  if (last.buffer !== blob.buffer) last = new DataView(blob.buffer);
  return last;
}
