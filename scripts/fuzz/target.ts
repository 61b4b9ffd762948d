/** What can be fuzzed. A target generates cases, and fails where the program breaks its word. */
import type fc from 'fast-check';

export interface FuzzTarget {
  name: string;
  /** One line for --help. */
  description: string;
  /** Its part of `--cases`, larger for cheap targets. The parts of all targets add up to 1. */
  share: number;
  open(world: FuzzWorld): Promise<OpenTarget>;
}

/** Where a target finds what it needs. */
export interface FuzzWorld {
  /** An existing folder for its files. */
  folder: string;
}

export interface OpenTarget {
  /** Holds for every case: throws, or rejects, if the program breaks its word. */
  property: fc.IRawProperty<unknown>;
  /** Checks what only shows at the end, such as the ledger of a server. */
  close(): Promise<void> | void;
}
