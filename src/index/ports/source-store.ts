/**
 * The port of sources: what operators asked to be fetched into an index, and how far that is. A method
 * that rejects has changed nothing.
 */

import type { NamedRecord } from '../../identity/record-keys.ts';

/** A stored source. The caller knows what is in its JSON. */
export interface StoredSource<Settings, Position, State> {
  name: string;
  settings: Settings;
  /** Milliseconds since 1970. */
  addedAt: number;
  /** Null: nothing was fetched. */
  position: Position | null;
  state: State;
  /** Whether a process runs it now. */
  isRunning: boolean;
}

export type AnySource = StoredSource<unknown, unknown, unknown>;

/** A record whose last version is from a source: from a file with a path that begins with its name and a colon. */
export interface FiledRecord extends NamedRecord {
  number: number;
  title: string;
}

export interface SourceStore<Settings = unknown, Position = unknown, State = unknown> {
  list(): Promise<StoredSource<Settings, Position, State>[]>;
  /** Resolves to false if there is one of this name. */
  add(source: { name: string; settings: Settings; state: State }): Promise<boolean>;
  /** Forgets a source. Its papers stay. Resolves to false if there is none of this name. */
  remove(name: string): Promise<boolean>;
  /**
   * Makes a process the owner of a source until a time, or for longer. Resolves to false if another one
   * is, or the source is gone.
   */
  own(name: string, owner: string, until: number): Promise<boolean>;
  disown(name: string, owner: string): Promise<void>;
  /** Saves what is given. Resolves to false if the process is not its owner. */
  save(
    name: string,
    owner: string,
    changes: { position?: Position | null; state?: State },
  ): Promise<boolean>;
  /** Notes records of a complete list by the hashes of their names. Repeated ones do no harm. */
  addSeen(name: string, keys: readonly number[]): Promise<void>;
  /** Resolves to those of the hashes that were noted. */
  seenAmong(name: string, keys: readonly number[]): Promise<Set<number>>;
  clearSeen(name: string): Promise<void>;
  /** Resolves to at most 500 records after a number, ascending, whose last version is from the source. */
  recordsOf(name: string, after: number): Promise<FiledRecord[]>;
  /** Counts the papers of these records, and those with an abstract. Reads all records of the index. */
  countPapers(name: string): Promise<{ papers: number; abstracts: number }>;
  close(): Promise<void>;
}
