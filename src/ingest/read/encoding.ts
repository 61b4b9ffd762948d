/** The encodings that a file of text may be said to be in. */
import { VerbatimError } from '../../errors.ts';

/** Some of them, for help and messages. */
export const ENCODINGS_SHOWN = 'utf-8, utf-16le, latin1, windows-1252, macintosh, gb18030';

/** What the decoder calls an encoding of this name. Throws `usage` where it knows none. */
export function encodingNamed(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    const known = `known are those of the Encoding Standard, as ${ENCODINGS_SHOWN}`;
    throw new VerbatimError('usage', `there is no encoding "${name}"; ${known}`);
  }
}
