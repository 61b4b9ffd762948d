/** What a bulk format is. Adding one: a file in formats/, and its line in formats.ts. */
import type { SourceDocument } from '../types.ts';
import type { ByteSource } from './source.ts';

/** One thing that a file holds: a document, or the reason why there is none. */
export type Entry = { line: number } & ({ document: SourceDocument } | { problem: string });

export interface FormatLimits {
  lineBytesMax: number;
}

export interface Format {
  /** What `--format` calls it. */
  name: string;
  /** One line for `--help`. */
  description: string;
  /** Whether a file that starts so is of this format. `head`: the first lines, decompressed. */
  recognises(head: readonly string[]): boolean;
  entries(source: ByteSource, limits: FormatLimits): AsyncGenerator<Entry>;
}
