/** The encodings that `--encoding` accepts. */
import { VerbatimError } from '../../errors.ts';

/** Examples for help and messages. */
export const ENCODINGS_SHOWN = 'utf-8, utf-16le, latin1, windows-1252, macintosh, gb18030';

/** The decoder's name of an encoding. Throws `usage` for an unknown name. */
export function encodingNamed(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    const known = `known are those of the Encoding Standard, as ${ENCODINGS_SHOWN}`;
    throw new VerbatimError('usage', `there is no encoding "${name}"; ${known}`);
  }
}
