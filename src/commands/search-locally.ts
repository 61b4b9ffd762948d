/** Searches in this process, for `verbatim search` and `verbatim mcp`. */

import { indexPlace } from '../index/open/index-place.ts';
import { createFallback } from '../lanes/fallback.ts';
import type { Lanes } from '../lanes/lane/lane.ts';
import type { LaneTrace } from '../lanes/lane-trace.ts';
import { openLanes } from '../lanes/open-lanes.ts';
import { createScoring } from '../lanes/threads/lane-worker.ts';
import { openSearch } from '../search/open-search.ts';
import type { SearchOutcome } from '../search/search.ts';
import type { Settings } from '../settings/config.ts';
import { allowedLanes } from '../settings/lane-choice.ts';
import type { SearchRequest } from '../types.ts';
import { storeOptions } from './cli/options.ts';
import { openLog } from './cli/terminal-log.ts';

/** What a search found. The trace is undefined if no lane is on. */
export type LocalOutcome = SearchOutcome & { trace: LaneTrace | undefined };

export interface LocalSearch {
  /** Searches the index, and the lanes if they are on and the index has no close match. */
  search(request: SearchRequest): Promise<LocalOutcome>;
  /** Undefined if no lane is on. */
  lanes: Lanes | undefined;
  close(): Promise<void>;
}

/** Opens the index and the lanes. Throws as `openSearch` does. */
export async function openLocalSearch(settings: Settings): Promise<LocalSearch> {
  const { model, reranker } = settings;
  const store = indexPlace(settings);
  const opened = await openSearch({ store, model, reranker, limits: settings });
  const lanes = await openLanes(settings, storeOptions(settings), openLog(settings));
  return {
    lanes,
    async search(request) {
      const deadline = performance.now() + settings.requestTimeoutMs;
      const local = await opened.search(request);
      if (lanes === undefined) return { ...local, trace: undefined };
      const fallback = createFallback({
        lanes,
        limits: settings,
        onDocuments: () => {},
        score: createScoring(opened, settings),
        // This thread also reads the lanes' responses, so it does not embed ahead of scoring.
        embed: () => undefined,
        onError: (error) => {
          throw error;
        },
      });
      const allowed = allowedLanes([request.lanes ?? null]);
      const { merged, trace } = await fallback(request, local.answer.c, { deadline, allowed });
      return { ...(merged ?? local), trace };
    },
    async close() {
      await lanes?.close();
      await opened.close();
    },
  };
}

/** Opens, searches once, and closes. */
export async function runSearch(request: SearchRequest, settings: Settings): Promise<LocalOutcome> {
  const local = await openLocalSearch(settings);
  try {
    return await local.search(request);
  } finally {
    await local.close();
  }
}
