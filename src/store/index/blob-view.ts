/** Views of blobs that share their memory. */

let last: DataView<ArrayBufferLike> = new DataView(new ArrayBuffer(0));

/**
 * A view of all the memory that a blob lies in: the blob's own bytes start at its `byteOffset`. The
 * blobs of one search lie in one memory, and a view for each would cost more than reading them.
 */
export function viewOf(blob: Uint8Array): DataView {
  if (last.buffer !== blob.buffer) last = new DataView(blob.buffer);
  return last;
}
