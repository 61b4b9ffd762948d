/** Decodes UTF-8 strictly, so that wrong characters are never quoted. Pure. */
import { isUtf8 } from 'node:buffer';

/** The end of a message about bytes that are not UTF-8. */
export const NOT_UTF8 = 'is not valid UTF-8; for a file in another encoding: --encoding latin1';

const BYTE_ORDER_MARK = '\u{feff}';

/** The text; undefined if the bytes are not valid UTF-8. */
export function decodeUtf8(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** The text without a byte order mark. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}
