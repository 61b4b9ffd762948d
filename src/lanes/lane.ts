/** What a fallback lane is: a source outside of the index that is asked a question in plain words. */
import type { Identifiers, Provenance, SentenceSpan, SourceDocument } from '../types.ts';
import type { Passage } from './whole-sentences.ts';

export type LaneName = Exclude<Provenance, 'corpus'>;

export const laneNames: readonly LaneName[] = ['arxiv', 'semantic_scholar', 'web'];

/** Whom a lane asks; the web lane can ask several. */
export type ProviderName =
  | 'arxiv'
  | 'semantic_scholar'
  | 'crossref'
  | 'openalex'
  | 'searxng'
  | 'brave';

/** A paper as a lane returned it; its texts are normalised already and are quoted as they are. */
export interface LaneDocument extends SourceDocument {
  lane: LaneName;
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
  /** `skipped`: not asked, for a reason such as its pace, its budget or the time left. */
  outcome: 'answered' | 'cached' | 'skipped' | 'failed';
  /** Why it was skipped or failed, a short word such as `rate_limited`; empty otherwise. */
  reason: string;
  documents: number;
  milliseconds: number;
}

/** A lane's state as /health shows it. */
export interface LaneState {
  lane: LaneName;
  provider: ProviderName;
  state: 'ok' | 'degraded' | 'open' | 'exhausted';
  /** When it is asked again at the earliest, in milliseconds since 1970; undefined: now. */
  retryAt: number | undefined;
}

export interface LanesAnswer {
  /** In the order of the lanes, and within a lane in the provider's. */
  documents: LaneDocument[];
  /** One for each lane that is switched on. */
  reports: LaneReport[];
}

/** All lanes that are switched on, behind one governor. */
export interface Lanes {
  /** Asks all of them at once; never throws, and is over by `deadline` (performance.now()). */
  ask(query: string, deadline: number): Promise<LanesAnswer>;
  states(): LaneState[];
  close(): Promise<void>;
}
