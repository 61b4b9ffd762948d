/** What a bulk format is. Adding one: a file in formats/, and its line in formats.ts. */
import type { Identifiers, SourceRecord } from '../../types.ts';
import type { About } from '../values/about.ts';
import type { ByteSource } from './source.ts';

/**
 * One thing that a file holds. `line` is where it starts, or its number where there are no lines;
 * `raw`: how it stands there, where that is a text at hand.
 */
export type Entry = { line: number; raw?: string } & EntryContent;

export type EntryContent =
  | { document: SourceRecord; about?: About }
  /** Part of a paper, to be joined with its record by an identifier, whichever comes first. */
  | { supplement: Supplement }
  /** The source took the paper back. */
  | { deletion: Identifiers }
  /** Why there is no document, and the reason in a word, by which the report counts. */
  | { problem: string; reason: SkipReason };

export type SkipReason =
  | 'malformed' /* not what the format says */
  | 'too_long'
  | 'without_text'
  | 'without_id'
  | 'not_a_paper' /* a component, a peer review, the front matter of a volume */
  | 'not_one_paper'; /* its identifiers would join more records than one paper can have */

export interface Supplement {
  identifiers: Identifiers;
  /** Empty where it says nothing of it. */
  abstract: string;
  /** Set by what retracts another paper; absent: it says nothing of it. */
  withheld?: 'retracted' | 'withdrawn';
}

export interface FormatLimits {
  lineBytesMax: number;
}

/** How a file starts, decompressed. */
export interface Head {
  /** The first 64 KB or all there is, decoded, without a byte order mark. */
  text: string;
  /** Its whole lines. */
  lines: readonly string[];
}

export interface Format {
  /** What `--format` calls it. */
  name: string;
  /** One line for `--help`. */
  description: string;
  /** Whether a file that starts so is of this format. */
  recognizes(head: Head): boolean;
  /** Of a table: which columns are read. */
  columns?(head: Head): TableColumns;
  entries(source: ByteSource, limits: FormatLimits): AsyncGenerator<Entry>;
}

/** Columns by the names that the table gives them. */
export interface TableColumns {
  used: { column: string; field: string }[];
  ignored: string[];
}
