/** Bytes to text, strictly: what is no UTF-8 must not be quoted as if it were. Pure. */
import { isUtf8 } from 'node:buffer';

/** What a message says that is about such bytes, behind the thing that they are in. */
export const NOT_UTF8 = 'is not valid UTF-8; for a file in another encoding: --encoding latin1';

const BYTE_ORDER_MARK = '\u{feff}';

/** The text, undefined where the bytes are not valid UTF-8. */
export function decodeUtf8(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** The text without the mark that may stand at the start of a file. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}
