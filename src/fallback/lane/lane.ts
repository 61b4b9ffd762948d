/** What a fallback lane is: a source outside of the index that is asked a question in plain words. */
import type { Withheld } from '../../identity/withheld.ts';
import type { LaneName } from '../../lane-choice.ts';
import type { Identifiers, SentenceSpan, SourceDocument } from '../../types.ts';
import type { Passage } from '../text/whole-sentences.ts';

/** Whom a lane asks; the web lane can ask several. */
export type ProviderName =
  | 'arxiv'
  | 'semantic_scholar'
  | 'crossref'
  | 'europepmc'
  | 'openalex'
  | 'searxng'
  | 'brave';

/** A paper as a lane returned it; its texts are normalised already and are quoted as they are. */
export interface LaneDocument extends SourceDocument {
  lane: LaneName;
  provider: ProviderName;
  /** Why it is neither shown nor learned. It is handed on, as it may be another lane's paper too. */
  withheld: Withheld | undefined;
  /** What the provider knows it by, but for arXiv's own DOIs. */
  identifiers: Identifiers;
  /** The provider's own sentences within the abstract; undefined: it is split here. */
  sentences: readonly SentenceSpan[] | undefined;
  /**
   * What the provider showed of the paper besides, or instead of, its abstract: sentences of the
   * body, or of a web page, each of them whole. They may be quoted; `ab` never shows them.
   */
  excerpt: Passage | undefined;
  /** Whether the provider's terms allow keeping it. */
  isStorable: boolean;
}

/** How one lane took part in one search. */
export interface LaneReport {
  lane: LaneName;
  provider: ProviderName;
  /**
   * `late`: asked, but not waited for to the end. `skipped`: not asked, for a reason such as its
   * pace, its budget or the time left.
   */
  outcome: 'answered' | 'cached' | 'late' | 'skipped' | 'failed';
  /** Why it was skipped or failed, a short word such as `rate_limited`; empty otherwise. */
  reason: string;
  documents: number;
  milliseconds: number;
}

/** Since the process started. */
export interface LaneMetrics {
  /** Questions of searches, whatever came of them. */
  asks: number;
  answered: number;
  cached: number;
  late: number;
  /** By reason. */
  skipped: Readonly<Record<string, number>>;
  failed: Readonly<Record<string, number>>;
  /** Milliseconds from a request to the end of its answer, for the latest answers; undefined: none. */
  latency: { p50Ms: number; p95Ms: number } | undefined;
}

/** The state of a lane's provider as /health shows it. */
export interface LaneState {
  lane: LaneName;
  provider: ProviderName;
  state: 'ok' | 'degraded' | 'open' | 'exhausted';
  /** When it is asked again at the earliest, in milliseconds since 1970; undefined: now. */
  retryAt: number | undefined;
  metrics: LaneMetrics;
  /** Sent since midnight, UTC, by all processes that share the database. */
  requestsToday: number;
}

export interface AskOptions {
  /** The lanes that may be asked; absent: all. */
  allowed?: readonly LaneName[];
  /** Gets what a lane has answered while others are still waited for. */
  onResponse?: (documents: readonly LaneDocument[]) => void;
}

export interface LanesResponse {
  /** In the order of the lanes, and within a lane in the provider's. */
  documents: LaneDocument[];
  /** One for each lane that is switched on. */
  reports: LaneReport[];
}

/** All lanes that are switched on, behind one governor. */
export interface Lanes {
  names: readonly LaneName[];
  /**
   * Asks the lanes at once, and waits as long as is worth it; never throws, and is over by
   * `deadline` (performance.now()).
   */
  ask(query: string, deadline: number, options?: AskOptions): Promise<LanesResponse>;
  /** From now on, `listener` gets what comes when nobody waits for it any more. */
  onLateDocuments(listener: (documents: readonly LaneDocument[]) => void): void;
  states(): LaneState[];
  close(): Promise<void>;
}
