/** The nouns of references. */
import type { Identifiers } from '../../types.ts';
import type { Work } from './work.ts';

/** What a reference says about a work. Empty, 0, or absent: it does not say. */
export interface Reference {
  title: string;
  authors: string[];
  /** Whether the list of authors ends with "et al." or "and others". */
  hasMoreAuthors: boolean;
  year: number;
  venue: string;
  identifiers: Identifiers;
}

export type ReferenceFormat = 'bibtex' | 'ris' | 'csl-json' | 'json' | 'text';

/** Fields with their right values. Absent: the reference is right. */
export interface Correction {
  title?: string;
  authors?: string[];
  year?: number;
  venue?: string;
  /** Empty: the identifier belongs to another work. */
  identifiers?: Identifiers;
}

/** A reference that was read. */
export interface ReadReference {
  format: ReferenceFormat;
  /** What it may mean: one reading, or several for a printed reference. At least one. */
  readings: Reference[];
  /** Of a printed reference: its text without identifiers. */
  words?: string;
  /** Of a printed reference: whether its text has the title of a record. */
  hasTitle?(recorded: string): boolean;
  /** Of a printed reference: its readings in which the text has the titles of these works. */
  readBeside?(works: readonly Work[]): Reference[];
  /** Writes the reference with corrections in its own format. */
  write(correction: Correction): string | Record<string, unknown>;
}

/** Thrown if a reference cannot be read. Its message says why. */
export class UnreadableReference extends Error {}
