/** Opens the index for `verbatim mcp`, serves until the client leaves, and closes everything. */

import { messageOf } from '../errors.ts';
import { indexPlace } from '../index/open/index-place.ts';
import { openIndex } from '../index/open/open-index.ts';
import { createLocalBackend } from '../mcp/local-backend.ts';
import { serveOnStdio } from '../mcp/serve-stdio.ts';
import { createFindPaper } from '../search/papers/find-paper.ts';
import type { Settings } from '../settings/config.ts';
import { version } from '../settings/version.ts';
import { openVerify } from '../verify/open-verify.ts';
import { parseCompleteSets } from '../verify/references/coverage.ts';

import { openLog } from './cli/terminal-log.ts';
import { openLocalSearch } from './search-locally.ts';
import { localLookUp, verifyLocally } from './verify-locally.ts';

/** Resolves when the client closed the input, or at Ctrl-C. Throws as opening a search does. */
export async function runMcp(settings: Settings): Promise<void> {
  const log = openLog(settings);
  const local = await openLocalSearch(settings);
  const store = indexPlace(settings);
  const source = await (await openIndex(store)).source({ limits: settings });
  const complete = parseCompleteSets(settings.indexComplete);
  const verifying = await openVerify({ store, limits: settings, complete });
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  const names = ['SIGINT', 'SIGTERM'] as const;
  for (const name of names) process.once(name, stop);
  try {
    const backend = createLocalBackend({
      version,
      search: local.search,
      findPaper: createFindPaper(source),
      verify: (request) => verifyLocally(verifying, request, localLookUp(local.lanes, settings)),
      countDocuments: async () => (await source.view((view) => view.totals())).documents,
    });
    await serveOnStdio(backend, {
      messageBytesMax: settings.bodyBytesMax,
      signal: stopping.signal,
      onError: (error) => log.warn('mcp_failed', { reason: messageOf(error) }),
    });
  } finally {
    for (const name of names) process.removeListener(name, stop);
    await verifying.close();
    await source.close();
    await local.close();
  }
}
