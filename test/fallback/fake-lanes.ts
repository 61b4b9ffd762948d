/** Lanes made by hand: they answer what a test says, when it says, and count what they are asked. */
import type { LaneDocument, LaneReport, LaneState, LanesAnswer } from '../../src/lanes/lane.ts';

export interface FakeLanes {
  ask(query: string, deadline: number): Promise<LanesAnswer>;
  states(): LaneState[];
  close(): Promise<void>;
  /** What was asked, in order. */
  asked: string[];
  isClosed: boolean;
  /** Replaces what they do from now on. */
  behave(behaviour: Behaviour): void;
}

export type Behaviour = (query: string, deadline: number) => Promise<LanesAnswer>;

export function fakeLanes(behaviour: Behaviour = answering([])): FakeLanes {
  let current = behaviour;
  const lanes: FakeLanes = {
    asked: [],
    isClosed: false,
    behave: (next) => {
      current = next;
    },
    ask(query, deadline) {
      lanes.asked.push(query);
      return current(query, deadline);
    },
    states: () => [
      { lane: 'arxiv', provider: 'arxiv', state: 'ok', retryAt: undefined },
      { lane: 'web', provider: 'crossref', state: 'exhausted', retryAt: Date.UTC(2026, 10, 22) },
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

/** All lanes hang: the answer is empty, and comes when the time is over. */
export const hanging: Behaviour = (_query, deadline) =>
  new Promise((resolve) => {
    const reports = [reportOf({ outcome: 'failed', reason: 'timeout' })];
    setTimeout(() => resolve({ documents: [], reports }), deadline - performance.now());
  });

export function reportOf(fields: Partial<LaneReport> = {}): LaneReport {
  return {
    ...{ lane: 'arxiv', provider: 'arxiv', outcome: 'answered', reason: '' },
    ...{ documents: 0, milliseconds: 12.3 },
    ...fields,
  };
}

/** A document of a lane of which only these fields matter. */
export function laneDocumentOf(fields: Partial<LaneDocument>): LaneDocument {
  return {
    ...{ id: 'arXiv:2401.00001', title: '', abstract: '', year: 2024, authors: [], venue: '' },
    ...{ lane: 'arxiv', identifiers: {}, sentences: undefined },
    excerpt: undefined,
    isStorable: true,
    ...fields,
  };
}
