/** Fake lanes: they return what a test says, when it says, and record what they are asked. */

import type {
  AskOptions,
  LaneDocument,
  LaneMetrics,
  LaneReport,
  LaneState,
  Lanes,
  LanesResponse,
} from '../../src/lanes/lane/lane.ts';
import type { LaneName } from '../../src/settings/lane-choice.ts';

export interface FakeLanes {
  names: readonly LaneName[];
  ask(query: string, deadline: number, options?: AskOptions): Promise<LanesResponse>;
  lookUp: Lanes['lookUp'];
  onLateDocuments(listener: (documents: readonly LaneDocument[]) => void): void;
  /** Hands on documents that no search waits for. */
  answerLate(documents: readonly LaneDocument[]): void;
  states(): LaneState[];
  close(): Promise<void>;
  /** The questions in order, and the lanes that they were for. */
  asked: string[];
  allowed: (readonly LaneName[] | undefined)[];
  isClosed: boolean;
  /** Replaces the behavior from now on. */
  behave(behaviour: Behaviour): void;
}

export type Behaviour = (
  query: string,
  deadline: number,
  options: AskOptions,
) => Promise<LanesResponse>;

export const activity: LaneMetrics = {
  asks: 9,
  answered: 4,
  cached: 2,
  late: 1,
  skipped: { no_time: 1 },
  failed: { timeout: 1 },
  latency: { p50Ms: 412, p95Ms: 903 },
};

export function fakeLanes(behaviour: Behaviour = answering([])): FakeLanes {
  let current = behaviour;
  let listener: Parameters<FakeLanes['onLateDocuments']>[0] = () => {};
  const lanes: FakeLanes = {
    names: ['arxiv', 'web'],
    asked: [],
    allowed: [],
    isClosed: false,
    behave: (next) => {
      current = next;
    },
    ask(query, deadline, options = {}) {
      lanes.asked.push(query);
      lanes.allowed.push(options.allowed);
      return current(query, deadline, options);
    },
    lookUp: () => Promise.reject(new Error('nothing is looked up here')),
    onLateDocuments(next) {
      listener = next;
    },
    answerLate: (documents) => listener(documents),
    states: () => [
      {
        lane: 'arxiv',
        provider: 'arxiv',
        state: 'ok',
        retryAt: undefined,
        metrics: activity,
        requestsToday: 5,
      },
      {
        lane: 'web',
        provider: 'crossref',
        state: 'exhausted',
        retryAt: Date.UTC(2026, 10, 22),
        metrics: activity,
        requestsToday: 0,
      },
    ],
    async close() {
      lanes.isClosed = true;
    },
  };
  return lanes;
}

export function answering(documents: LaneDocument[], reports?: LaneReport[]): Behaviour {
  return async () => ({
    documents,
    reports: reports ?? [reportOf({ documents: documents.length })],
  });
}

/** All lanes hang: the response is empty and arrives at the deadline. */
export const hanging: Behaviour = (_query, deadline) =>
  new Promise((resolve) => {
    const reports = [reportOf({ outcome: 'failed', reason: 'timeout' })];
    setTimeout(() => resolve({ documents: [], reports }), deadline - performance.now());
  });

export function reportOf(fields: Partial<LaneReport> = {}): LaneReport {
  return {
    lane: 'arxiv',
    provider: 'arxiv',
    outcome: 'answered',
    reason: '',
    documents: 0,
    milliseconds: 12.3,
    ...fields,
  };
}

/** A document that answers a question about bread. */
export const QUOTE = 'Sourdough starters resist spoilage moulds by making acetic acid.';
export const sourdough: LaneDocument = laneDocumentOf({
  id: '10.5555/sourdough',
  identifiers: { doi: '10.5555/sourdough' },
  lane: 'web',
  title: 'Antifungal activity of sourdough starters',
  abstract: `Bread spoils within days. ${QUOTE} The bread was baked at 220 degrees.`,
  authors: ['A. Berg', 'B. Dahl', 'C. Elm', 'D. Furu'],
});

/** A document of a lane with the given fields. */
export function laneDocumentOf(fields: Partial<LaneDocument>): LaneDocument {
  return {
    id: 'arXiv:2401.00001',
    title: '',
    abstract: '',
    year: 2024,
    authors: [],
    venue: '',
    lane: 'arxiv',
    provider: 'arxiv',
    withheld: undefined,
    notices: [],
    identifiers: {},
    sentences: undefined,
    excerpt: undefined,
    isStorable: true,
    ...fields,
  };
}
