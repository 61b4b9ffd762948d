/** What a fallback lane is: a source outside the index that answers a question in plain words. */
import type { Withheld } from '../../identity/withheld.ts';
import type { LaneName } from '../../settings/lane-choice.ts';
import type {
  Identifiers,
  LaneAnswers,
  Notice,
  SentenceSpan,
  SourceDocument,
} from '../../types.ts';

/** The service that a lane asks. The web lane can ask several. */
export type ProviderName =
  | 'arxiv'
  | 'semantic_scholar'
  | 'crossref'
  | 'europepmc'
  | 'openalex'
  | 'searxng'
  | 'brave';

/** A text together with its sentences. */
export interface Passage {
  text: string;
  sentences: readonly SentenceSpan[];
}

/** A paper that a lane returned. Its texts are normalized and are quoted as they are. */
export interface LaneDocument extends SourceDocument {
  lane: LaneName;
  provider: ProviderName;
  /** Why it is neither shown nor learned. It is kept because another lane may return the same paper. */
  withheld: Withheld | undefined;
  /** What journals announced about the paper. Absent in what earlier versions cached. */
  notices?: readonly Notice[];
  /** The identifiers that the provider gave, without arXiv's own DOIs. */
  identifiers: Identifiers;
  /** The provider's own sentence boundaries in the abstract. Undefined: we split it ourselves. */
  sentences: readonly SentenceSpan[] | undefined;
  /**
   * Whole sentences from the body of the paper or from a web page, beside the abstract or instead
   * of it. They may be quoted, but the field `ab` never shows them.
   */
  excerpt: Passage | undefined;
  /** Whether the provider's terms of use allow us to store it. */
  isStorable: boolean;
}

/** How one lane took part in one search. */
export interface LaneReport {
  lane: LaneName;
  provider: ProviderName;
  /**
   * `late`: the provider was asked, but the search stopped waiting. `skipped`: it was not asked,
   * for instance because of a rate limit, a quota, or the time left.
   */
  outcome: 'answered' | 'cached' | 'late' | 'skipped' | 'failed';
  /** Why the lane was skipped or failed, such as `rate_limited`. Empty otherwise. */
  reason: string;
  documents: number;
  milliseconds: number;
}

/** Counts of one provider since the process started. */
export interface LaneMetrics {
  /** Questions of searches, whatever their outcome. */
  asks: number;
  answered: number;
  cached: number;
  late: number;
  /** By reason. */
  skipped: Readonly<Record<string, number>>;
  failed: Readonly<Record<string, number>>;
  /** Milliseconds from a request to the end of its response. Undefined: no response yet. */
  latency: { p50Ms: number; p95Ms: number } | undefined;
}

/** The state of a provider as `/health` shows it. */
export interface LaneState {
  lane: LaneName;
  provider: ProviderName;
  state: 'ok' | 'degraded' | 'open' | 'exhausted';
  /** The earliest time of the next request, in milliseconds since 1970. Undefined: now. */
  retryAt: number | undefined;
  metrics: LaneMetrics;
  /** Requests since midnight UTC, of all processes that share the database. */
  requestsToday: number;
}

export interface AskOptions {
  /** The lanes that may be asked. Absent: all. */
  allowed?: readonly LaneName[];
  /** Receives the documents of one lane while the search still waits for others. */
  onResponse?: (documents: readonly LaneDocument[]) => void;
}

export interface LanesResponse {
  /** In the order of the lanes, and within a lane in the order of the provider. */
  documents: LaneDocument[];
  /** One for each lane that was allowed. */
  reports: LaneReport[];
}

/** A reference that is looked up. */
export interface SoughtReference {
  identifiers: Identifiers;
  /** Empty: unknown. */
  title: string;
  /** The first one; empty: unknown. */
  author: string;
}

export interface LookUpOptions {
  /** The lanes that may be asked. */
  allowed: readonly LaneName[];
  /** In the time of performance.now(). */
  deadline: number;
  /** Whether a document is the work that is sought. No further lane is then waited for. */
  isSought: (document: LaneDocument) => boolean;
}

export interface LookedUp {
  /** Of each request in the order of the lanes. */
  documents: LaneDocument[];
  /** One for each lane that was allowed. */
  answers: LaneAnswers;
}

/** All lanes that are on. */
export interface Lanes {
  names: readonly LaneName[];
  /** Asks the lanes in parallel. Never throws, and resolves by `deadline` (performance.now()). */
  ask(query: string, deadline: number, options?: AskOptions): Promise<LanesResponse>;
  /** Looks up a reference. Never throws, and resolves by the deadline. */
  lookUp(reference: SoughtReference, options: LookUpOptions): Promise<LookedUp>;
  /** From now on, `listener` receives the documents that arrive when no search waits for them. */
  onLateDocuments(listener: (documents: readonly LaneDocument[]) => void): void;
  states(): LaneState[];
  close(): Promise<void>;
}
