/**
 * Coalesces requests: while a search runs that asked the lanes a question, searches with the same
 * question get what it got, documents and reports, at whatever moment they join. Each would otherwise
 * ask for itself, and one lane's response might be in time for some of them only.
 */
import type { LaneDocument, LanesResponse } from '../lane/lane.ts';

/** Receives the documents of one lane while others are awaited. */
type OnResponse = (documents: readonly LaneDocument[]) => void;

export interface LanesRequest {
  /** What makes questions equal, the lanes that they may go to among it. */
  key: string;
  /** When the lanes have responded, or are given up, at the latest (performance.now()). */
  until: number;
  /** How long the search can wait for them (performance.now()). */
  deadline: number;
  onResponse: OnResponse;
  /** Asks the lanes. Returns undefined if too many questions wait for them. */
  ask: (onResponse: OnResponse) => Promise<LanesResponse> | undefined;
}

export interface SharedRequest {
  response: Promise<LanesResponse>;
  /** Call it at the end of the search: nobody joins a request after the search that began it. */
  end(): void;
}

interface Running {
  until: number;
  response: Promise<LanesResponse>;
  /** What lanes have returned so far, for those that join. */
  early: (readonly LaneDocument[])[];
  listeners: OnResponse[];
}

/** A search whose time ends before that of the running request begins one of its own. */
export function coalesceRequests(): (request: LanesRequest) => SharedRequest | undefined {
  const all = new Map<string, Running>();
  return ({ key, until, deadline, onResponse, ask }) => {
    const known = all.get(key);
    if (known !== undefined && known.until <= deadline) {
      for (const documents of known.early) onResponse(documents);
      known.listeners.push(onResponse);
      return { response: known.response, end: () => {} };
    }
    const early: Running['early'] = [];
    const listeners = [onResponse];
    const response = ask((documents) => {
      early.push(documents);
      for (const listener of listeners) listener(documents);
    });
    if (response === undefined) return undefined;
    const running = { until, response, early, listeners };
    if (known === undefined) all.set(key, running);
    const end = (): void => {
      if (all.get(key) === running) all.delete(key);
    };
    return { response, end };
  };
}
