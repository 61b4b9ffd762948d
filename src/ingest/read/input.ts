/** What the arguments of a build come to, in the order in which it is read. */

/** A file to read, one that is passed over, or one that cannot be read. */
export type Input = InputFile | PassedOver | Unreadable;

export interface InputFile {
  path: string;
  /** Size on disk; undefined where it is not known, as of a pipe. */
  bytes: number | undefined;
  /** Named by the user. Others were found in a folder or by a pattern, and may be anything. */
  isNamed: boolean;
}

/** A file or folder that holds no records, or whose records are read elsewhere. */
export interface PassedOver {
  path: string;
  passedOver: PassReason;
  /** The reason in words, after a colon. */
  why: string;
}

export interface Unreadable {
  path: string;
  /** What is wrong, naming the path. */
  unreadable: string;
}

/** The reason in a word, by which the report counts. */
export type PassReason =
  | 'hidden'
  | 'note' /* a manifest, a README, a license: told by its name */
  | 'excluded' /* by the user */
  | 'dangling_link'
  | 'loop' /* a link to a folder that it is in */
  | 'read_already' /* the same file or folder by another path */
  | 'not_a_file' /* a pipe, a socket, a device */
  | 'empty'
  | 'unknown_format';

export function isFile(input: Input): input is InputFile {
  return 'isNamed' in input;
}
