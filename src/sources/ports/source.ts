/** A source: what an operator asked to be fetched, and what came of it. */

import type { StoredSource } from '../../index/sources/list-sources.ts';
import type { Selection } from '../../ingest/selection/selection.ts';

export const providerNames = ['arxiv', 'openalex', 'pubmed', 'crossref', 'files'] as const;
export type ProviderName = (typeof providerNames)[number];

/** What to fetch. Everything is text, as it was typed. */
export interface SourceOptions {
  /** A set of the provider, such as `cs`. */
  set?: string;
  /** A filter in the words of the provider. */
  filter?: string;
  /** The first date or year. */
  from?: string;
  /** The base address of the provider or a mirror of it; for files, their address or folder. */
  url?: string;
}

/** The same with the address of the provider in any case. */
export type SourceQuery = SourceOptions & { url: string };

/** How far a source is fetched. Its provider knows what is in it; it is stored as JSON. */
export type Position = Readonly<Record<string, unknown>>;

/** How the last run ended. */
export type RunOutcome =
  | 'done'
  | 'interrupted'
  | 'postponed' /* the provider asks for a pause */
  | 'stopped' /* it would replace or remove too much */
  | 'failed';

/** How much of all is fetched. */
export interface Progress {
  done: number;
  total: number;
  unit: 'records' | 'parts';
}

export interface SourceRun {
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Null while it runs, or if it was killed. */
  endedAt: number | null;
  outcome: RunOutcome | null;
  /** Why it did not end well; null otherwise. */
  message: string | null;
  requests: number;
  bytes: number;
  /** What of all was fetched; null if the provider does not say. */
  progress: Progress | null;
}

/** What came of the runs of a source. */
export interface SourceState {
  /** Null: it never ran. */
  run: SourceRun | null;
  /** When a run last ended well; null: never. Milliseconds since 1970. */
  succeededAt: number | null;
  /** Runs in a row that failed. */
  failures: number;
  /** The provider asked not to be contacted before; null: it may be. */
  retryAt: number | null;
  /** Papers with a record whose last version is from the source, and those of them with an abstract. */
  papers: number;
  abstracts: number;
}

export const newState: SourceState = {
  run: null,
  succeededAt: null,
  failures: 0,
  retryAt: null,
  papers: 0,
  abstracts: 0,
};

/** Stands for no last year. */
export const LAST_YEAR = 9_999;

/** What the operator chose. */
export interface SourceSettings {
  provider: ProviderName;
  options: SourceOptions;
  /** Which records it keeps. */
  selection: Selection;
  /** Whether a record that comes back without its abstract loses the one that it had. */
  dropsAbstracts: boolean;
}

/** A source as the index keeps it. */
export interface Source extends SourceSettings, StoredSource {
  /** Null: nothing was fetched. */
  position: Position | null;
  state: SourceState;
}

/** The share of its papers with an abstract, as in `93 %`. */
export function abstractShareOf({ state: { papers, abstracts } }: Source): string {
  return `${Math.round((100 * abstracts) / Math.max(papers, 1))} %`;
}

/** Returns how it is, in one word. */
export function stateOf({ isRunning, state: { run } }: Source): 'running' | 'new' | RunOutcome {
  if (isRunning) return 'running';
  // A run without an outcome was killed.
  return run === null ? 'new' : (run.outcome ?? 'interrupted');
}
