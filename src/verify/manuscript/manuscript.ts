/** The nouns of manuscripts. */
import type { NamedReference } from '../references/read-file.ts';
import type { FoundQuote } from './find-quotes.ts';

/** Where something stands, for people: `paper.tex`, line 12. */
interface Place {
  file: string;
  /** From 1; 0 if not known. */
  line: number;
}

/** A reference of a manuscript. Its name is its citation key, its number, its start, or its line. */
export type ManuscriptReference = NamedReference & Pick<Place, 'file'>;

export type ManuscriptQuote = FoundQuote & Place;

/** What a manuscript has to verify. */
export interface Manuscript {
  references: ManuscriptReference[];
  quotes: ManuscriptQuote[];
  /** Files that it names and that were not read, with the reason. */
  unread: string[];
}

/** One file of a manuscript. */
export interface ManuscriptPart {
  /** With marks of citations and block quotes. */
  text: string;
  /** Its own list of references. */
  references: NamedReference[];
  /** Files with references that it names, as written. */
  bibliographies: string[];
  /** Files that it includes, as written. */
  included: string[];
  /** The keys that it cites. */
  cited: Set<string>;
}
