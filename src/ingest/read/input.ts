/** The inputs of a build. */

/** A file to read, one that is passed over, or one that cannot be read. */
export type Input = InputFile | PassedOver | Unreadable;

export interface InputFile {
  path: string;
  /** Size on disk; undefined if not known, as for a pipe. */
  bytes: number | undefined;
  /** What the index and messages call the file; absent: its path. */
  shownAs?: string;
  /** Whether the user named it. Files found in a folder or by a pattern may be anything. */
  isNamed: boolean;
}

/** A file or folder without records, or whose records are read from another path. */
export interface PassedOver {
  path: string;
  passedOver: PassReason;
  /** The reason in words, for use after a colon. */
  why: string;
}

export interface Unreadable {
  path: string;
  /** What is wrong, with the path. */
  unreadable: string;
}

/** The reason as one word, by which the report counts. */
export type PassReason =
  | 'hidden'
  | 'note' /* a manifest, a README, a license: recognized by its name */
  | 'excluded' /* by the user */
  | 'dangling_link'
  | 'loop' /* a link to a folder that contains it */
  | 'read_already' /* the same file or folder by another path */
  | 'not_a_file' /* a pipe, a socket, a device */
  | 'empty'
  | 'unread_bibliography' /* a spreadsheet, or what looks like records but has no known format */
  | 'unknown_format';

export function isFile(input: Input): input is InputFile {
  return 'isNamed' in input;
}
