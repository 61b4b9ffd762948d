/** Finds the root element in the head of an XML file, to recognize formats. Pure. */
import type { Head } from '../read/packed-format.ts';

/** What may precede the root: declaration, comments, a document type. */
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

/** The local name and the raw attributes of the root; undefined if the file is not XML. */
export function rootOf(head: Head): { name: string; attributes: string } | undefined {
  // The head was decoded as UTF-8, which leaves NULs between the letters of UTF-16.
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
