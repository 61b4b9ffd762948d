/** Finds the first of many documents, without reading more than a few too many. */
import type { DocumentNumber } from '../../types.ts';

/**
 * Returns the position of the first document that passes the test, -1 if none does. It reads one
 * document, then two, then four, and so on: few round trips if the document is far, and little work if
 * it is near.
 */
export async function findAmong<Value>(
  documents: readonly DocumentNumber[],
  read: (documents: readonly DocumentNumber[]) => Promise<Value[]>,
  test: (value: Value) => boolean,
): Promise<number> {
  for (let start = 0, size = 1; start < documents.length; start += size, size *= 2) {
    const values = await read(documents.slice(start, start + size));
    const at = values.findIndex(test);
    if (at !== -1) return start + at;
  }
  return -1;
}
