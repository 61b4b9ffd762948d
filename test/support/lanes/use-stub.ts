/** Gives each test of a file a stub that responds as arXiv does, and lanes on it. */
import { afterEach, beforeEach, vi } from 'vitest';
import { feedOf, paperEntry } from './arxiv-stub.ts';
import { askOne, openLanes, outcomeOf } from './ask-lanes.ts';
import { type StubServer, startStub } from './stub-server.ts';

export interface StubbedLanes {
  readonly stub: StubServer;
  /** Opens lanes that close after the test. */
  open: typeof openLanes;
  /** Asks a new question, and resolves to its `outcomeOf`. */
  askNew: (lanes: ReturnType<typeof openLanes>) => Promise<string>;
  /** A new question. */
  newQuestion: () => string;
}

export function useStub(): StubbedLanes {
  let stub: StubServer;
  // Short words are not sent, so two digits would not distinguish two questions.
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

/** Lets a test decide when a stub responds. */
export function heldAnswer(): { released: Promise<void>; release: () => void } {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { released, release: () => release() };
}

/** A deadline in this many milliseconds (performance.now()). */
export const within = (ms: number): number => performance.now() + ms;
