/** One search in this process, for `verbatim search`. */
import type { Settings } from '../config.ts';
import { createFallback } from '../fallback/fallback.ts';
import type { LaneTrace } from '../fallback/lane-trace.ts';
import { openLanes } from '../fallback/open-lanes.ts';
import { createScoring } from '../fallback/threads/lane-worker.ts';
import { openSearch } from '../search/open-search.ts';
import type { SearchOutcome } from '../search/search.ts';
import type { SearchRequest } from '../types.ts';
import { storeOptions } from './cli/options.ts';
import { openLog } from './cli/terminal-log.ts';

/** Searches the index, and the lanes if they are on and the index has no close match. */
export async function runSearch(
  request: SearchRequest,
  settings: Settings,
): Promise<SearchOutcome & { trace: LaneTrace | undefined }> {
  const deadline = performance.now() + settings.requestTimeoutMs;
  const { model } = settings;
  const store = storeOptions(settings);
  const opened = await openSearch({ store, model, limits: settings });
  const lanes = await openLanes(settings, store, openLog(settings));
  try {
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
    const { merged, trace } = await fallback(request, local.answer.c, { deadline });
    return { ...(merged ?? local), trace };
  } finally {
    await lanes?.close();
    opened.close();
  }
}
