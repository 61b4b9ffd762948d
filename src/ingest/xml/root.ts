/** What a file that starts so is, if it is XML. Pure; for recognizing formats, not for parsing. */
import type { Head } from '../read/format.ts';

/** What may stand in front of the root: declaration, comments, a document type. */
const PROLOG = new RegExp(
  [
    '\\s+',
    '<\\?[^?]*(?:\\?(?!>)[^?]*)*\\?>',
    '<!--[^-]*(?:-(?!->)[^-]*)*-->',
    '<!DOCTYPE[^>[]*(?:\\[[^\\]]*\\]\\s*)?>',
  ].join('|'),
  'y',
);
const START_TAG = /<(?:[\w.-]+:)?([\w.-]+)((?:\s[^>]*)?)>/y;

/** The root's local name and its attributes as they stand; undefined where it is no XML. */
export function rootOf(head: Head): { name: string; attributes: string } | undefined {
  // The head was decoded as UTF-8: of UTF-16 that leaves the letters and what is between them.
  const text = head.text.replace(/^[\u{feff}\u{fffd}]+|\0/gu, '');
  let position = 0;
  for (;;) {
    PROLOG.lastIndex = position;
    if (!PROLOG.test(text)) break;
    position = PROLOG.lastIndex;
  }
  START_TAG.lastIndex = position;
  const [, name, attributes = ''] = START_TAG.exec(text) ?? [];
  return name === undefined ? undefined : { name, attributes };
}
