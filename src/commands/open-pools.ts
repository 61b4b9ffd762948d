/** The threads that read the index. */

import type { DamageRegister } from '../database/damage/damage-register.ts';
import { noticing } from '../database/damage/notice-damage.ts';
import { INDEX, LOOK_UPS, type PartInUse } from '../database/damage/parts.ts';
import type { Log } from '../log.ts';
import { createSearchPool, type SearchPool } from '../search/threads/search-pool.ts';
import type { IndexRequest } from '../search/threads/search-worker.ts';
import type { Settings } from '../settings/config.ts';
import { parseCompleteSets } from '../verify/references/coverage.ts';
import { createVerifyPool, type VerifyPool } from '../verify/threads/verify-pool.ts';
import { logDeath } from '../workers/pool.ts';
import type { ServedIndex } from './open-served-index.ts';

/** Starts the threads that search and those that verify. Each opens the index for itself. */
export function openPools(
  { settings, log, damage }: { settings: Settings; log: Log; damage: DamageRegister },
  index: Pick<ServedIndex, 'place' | 'switches'>,
): { pool: SearchPool; verifyPool: VerifyPool } {
  const { place: store } = index;
  const { searchThreads, verifyThreads, inFlightMax, searchBatchMax } = settings;
  const watched = { onThreadDied: logDeath(log), onDamage: damage.report };
  const pool = createSearchPool(
    {
      store,
      model: settings.model,
      reranker: settings.reranker,
      limits: settings,
      followsIndex: true,
    },
    {
      threads: searchThreads,
      queueMax: inFlightMax + searchThreads,
      batchMax: searchBatchMax,
      ...watched,
    },
  );
  const verifyPool = createVerifyPool(
    { store, limits: settings, complete: parseCompleteSets(settings.indexComplete) },
    { threads: verifyThreads, queueMax: inFlightMax, ...watched },
  );
  const of = { index, damage };
  const search = noticingIn(of, INDEX, pool.run);
  const lookUp = noticingIn(of, LOOK_UPS, pool.run);
  const run = (request: IndexRequest) => ('query' in request ? search(request) : lookUp(request));
  return {
    pool: { ...pool, run: run as SearchPool['run'] },
    verifyPool: { ...verifyPool, run: noticingIn(of, LOOK_UPS, verifyPool.run) },
  };
}

interface NoticedIndex {
  index: Pick<ServedIndex, 'switches'>;
  damage: Pick<DamageRegister, 'report'>;
}

/**
 * Like `noticing`, but leaves out damage of a file that another one has replaced: a thread may end its
 * work in the file before.
 */
function noticingIn<Args extends unknown[], Result>(
  { index: { switches }, damage }: NoticedIndex,
  part: PartInUse,
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  return (...args) => {
    const before = switches();
    const report: DamageRegister['report'] = (one) => {
      if (switches() === before) damage.report(one);
    };
    return noticing({ report }, part, work)(...args);
  };
}
