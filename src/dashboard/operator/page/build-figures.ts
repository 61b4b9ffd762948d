/** What the pages show of a build. Another version of the program may leave any of it out. */
export interface BuildFigures {
  bytesRead?: number;
  /** 0 if the size of an input is not known. */
  bytesTotal?: number;
  /** Records. */
  read?: number;
  added?: number;
  updated?: number;
  skipped?: number;
  files?: readonly string[];
  /** The process that builds. */
  process?: { host: string; id: number };
}
