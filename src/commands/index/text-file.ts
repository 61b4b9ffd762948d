/** Writes the texts of a build as JSON Lines, one string a line, for a program that embeds elsewhere. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { messageOf, VerbatimError } from '../../errors.ts';
import type { VectorWriter } from '../../index/vector-file.ts';

/**
 * Opens the file anew, as a writer that ignores vectors. A text may occur again, because nothing is
 * kept in memory. Throws `unwritable_output` if it cannot be written, now or later.
 */
export function openTexts(path: string): VectorWriter {
  const attempt = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw new VerbatimError('unwritable_output', `cannot write ${path}: ${messageOf(error)}`);
    }
  };
  const file = attempt(() => openSync(path, 'w'));
  return {
    has: () => false,
    add(texts) {
      const lines = texts.map((text) => `${JSON.stringify(text)}\n`).join('');
      attempt(() => writeSync(file, lines));
    },
    close: () => closeSync(file),
  };
}
