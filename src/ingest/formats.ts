/** The formats that the builder reads, and how a file finds its own. */
import { VerbatimError } from '../errors.ts';
import type { Format, FormatLimits } from './format.ts';
import { beirFormat } from './formats/beir.ts';
import { verbatimFormat } from './formats/verbatim.ts';
import { splitLines } from './lines.ts';
import type { ByteSource } from './source.ts';

/** In the order in which they are tried. */
export const formats: readonly Format[] = [beirFormat, verbatimFormat];

/** Lines that are looked at: a file may start with some bad ones. */
const HEAD_LINES = 50;

/** The format with this name. Throws `usage` naming those that there are. */
export function formatNamed(name: string): Format {
  const format = formats.find((candidate) => candidate.name === name);
  if (format !== undefined) return format;
  const known = formats.map((candidate) => candidate.name).join(', ');
  throw new VerbatimError('usage', `there is no format "${name}"; known are ${known}`);
}

/** The format that recognises the file. Throws `unreadable_input` where none does. */
export async function recogniseFormat(source: ByteSource, limits: FormatLimits): Promise<Format> {
  const head: string[] = [];
  let seen = 0;
  try {
    for await (const line of splitLines(source.chunks(), limits.lineBytesMax)) {
      if ('text' in line) head.push(line.text);
      if (++seen === HEAD_LINES) break;
    }
  } catch (error) {
    // A file that breaks off within its head is still read as far as it goes.
    if (head.length === 0) throw error;
  }
  const format = formats.find((candidate) => candidate.recognises(head));
  if (format !== undefined) return format;
  const why = seen === 0 ? 'it is empty' : 'no format recognises its first lines';
  throw new VerbatimError('unreadable_input', `cannot index ${source.path}: ${why}`);
}
