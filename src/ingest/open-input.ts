/** From an argument of a build to its content and its format. */
import { VerbatimError } from '../errors.ts';
import type { Format } from './format.ts';
import { recogniseFormat, UnknownFormatError } from './formats.ts';
import { type Input, isFile, type PassedOver } from './read/input.ts';
import { type ByteSource, openSource } from './read/source.ts';

export type OpenedInput = { source: ByteSource; format: Format } | PassedOver;

/**
 * Opens an input; `format`: that of all inputs, else each has its own. A file that was found, and
 * that no format recognises, is passed over. Throws `unreadable_input` for one that cannot be
 * read, and for a named one that no format recognises.
 */
export async function openInput(input: Input, format: Format | undefined): Promise<OpenedInput> {
  if ('unreadable' in input) throw new VerbatimError('unreadable_input', input.unreadable);
  if (!isFile(input)) return input;
  const { path } = input;
  const source = await openSource(path);
  try {
    return { source, format: format ?? (await recogniseFormat(source)) };
  } catch (error) {
    if (input.isNamed || !(error instanceof UnknownFormatError)) throw error;
    return { path, passedOver: error.reason, why: error.why };
  }
}
