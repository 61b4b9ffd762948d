/** A stub that answers as arXiv does, for each test of the file that calls this, and lanes on it. */
import { afterEach, beforeEach, vi } from 'vitest';
import { feedOf, paperEntry } from './arxiv-stub.ts';
import { askOne, openLanes, outcomeOf } from './ask-lanes.ts';
import { type StubServer, startStub } from './stub-server.ts';

export interface StubbedLanes {
  readonly stub: StubServer;
  /** Opens lanes that are closed after the test. */
  open: typeof openLanes;
  /** Asks what nobody has asked before; to what came of it, as `outcomeOf` says it. */
  askNew: (lanes: ReturnType<typeof openLanes>) => Promise<string>;
  /** A question that nobody has asked before. */
  newQuestion: () => string;
}

export function useStub(): StubbedLanes {
  let stub: StubServer;
  // Short words are not asked for: two digits would not tell two questions apart.
  let questions = 100;
  const opened: ReturnType<typeof openLanes>[] = [];
  beforeEach(async () => {
    stub = await startStub(feedOf([paperEntry]));
  });
  afterEach(async () => {
    vi.useRealTimers();
    await Promise.all(opened.splice(0).map((lanes) => lanes.close()));
    await stub.close();
  });
  const newQuestion = (): string => `question ${++questions}`;
  return {
    get stub() {
      return stub;
    },
    open(settings, deps) {
      const lanes = openLanes(settings, deps);
      opened.push(lanes);
      return lanes;
    },
    newQuestion,
    askNew: async (lanes) => outcomeOf(await askOne(lanes, newQuestion())),
  };
}

/** When a stub answers is in the test's hands. */
export function heldAnswer(): { released: Promise<void>; release: () => void } {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { released, release: () => release() };
}

/** So many milliseconds from now (performance.now()). */
export const within = (ms: number): number => performance.now() + ms;
