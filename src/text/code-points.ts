/** Offsets as the API gives them. Inside the program, offsets are UTF-16 code units. */

/**
 * Returns the number of Unicode code points before an offset in UTF-16 code units. A lone surrogate
 * counts as one, as in Python's strings.
 */
export function codePointOffset(text: string, offset: number): number {
  let count = offset;
  for (let at = 1; at < offset; at++) {
    if (isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1))) count--;
  }
  return count;
}

/** Returns the number of Unicode code points of a text. */
export function codePoints(text: string): number {
  return codePointOffset(text, text.length);
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
