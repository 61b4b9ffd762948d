/** Defines a bulk format. README.md in src/ingest says how to add one. */
import type { CitedWork, Identifiers, Notice, SourceRecord } from '../../types.ts';
import type { About } from '../values/about.ts';
import type { ByteSource } from './source.ts';

/**
 * An entry of a file. `line`: the line where it starts, or its number in files without lines. `raw`:
 * the entry as it stands in the file, if available.
 */
export type Entry = { line: number; raw?: string } & EntryContent;

export type EntryContent =
  /**
   * `firstAuthor`: set if earlier versions of this program read the first author differently. Records
   * without an id are named by it.
   */
  | { document: SourceRecord; about?: About; firstAuthor?: string }
  /** Part of a paper, joined with its record by an identifier, in either order. */
  | { supplement: Supplement }
  /**
   * The source deleted the paper. `isMerged`: it merged the paper into another, which it never takes
   * back. Older records of the paper stay out, too.
   */
  | { deletion: Identifiers; isMerged?: true }
  /** Why there is no document; `reason` is the word by which the report counts. */
  | { problem: string; reason: SkipReason };

export type SkipReason =
  | 'malformed' /* does not follow the format */
  | 'too_long'
  | 'without_text'
  | 'without_id'
  | 'not_a_paper' /* a component, a peer review, the front matter of a volume */
  | 'not_one_paper'; /* its identifiers would join more records than one paper can have */

export interface Supplement {
  identifiers: Identifiers;
  /** Empty if it has none. */
  abstract: string;
  /** Set by a notice that retracts another paper; otherwise absent. */
  withheld?: 'retracted' | 'withdrawn';
  /** What a journal announced, and the name that its source gives the announcement. */
  announced?: { name: string; notice: Notice };
  /** Works that the paper cites, and the name that the source gives the list. */
  cites?: { name: string; references: readonly CitedWork[] };
}

export interface FormatLimits {
  lineBytesMax: number;
}

/** The start of a file, decompressed. */
export interface Head {
  /** The first 64 KB, or the whole file, decoded, without a byte order mark. */
  text: string;
  /** The complete lines in it. */
  lines: readonly string[];
}

export interface Format {
  /** Name for `--format`. */
  name: string;
  /** One line for `--help`. */
  description: string;
  /** Whether a file with this head is of this format. */
  recognizes(head: Head): boolean;
  /** For records that are recognized one by one: how many of those in the head are of this format. */
  countRecognized?(head: Head): number;
  /** For tables: which columns are read. */
  columns?(head: Head): TableColumns;
  entries(source: ByteSource, limits: FormatLimits): AsyncGenerator<Entry>;
}

/** Columns by their names in the table. */
export interface TableColumns {
  used: { column: string; field: string }[];
  ignored: string[];
}
