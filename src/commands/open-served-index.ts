/** Opens the index of a server, wherever it is, for its main thread. */

import type { DamageRegister } from '../database/damage/damage-register.ts';
import { noticing, noticingAll } from '../database/damage/notice-damage.ts';
import { INDEX, isOfIndex, LOOK_UPS, type PartInUse } from '../database/damage/parts.ts';
import { REEMBED_ADVICE } from '../index/index-facts.ts';
import type { IndexPlace } from '../index/open/index-place.ts';
import { openIndex } from '../index/open/open-index.ts';
import type { Index } from '../index/ports/index.ts';
import type { IndexFigures, IndexSource } from '../index/ports/index-source.ts';
import type { Log } from '../log.ts';
import { createIndexVersion } from '../search/index-version.ts';
import type { Settings } from '../settings/config.ts';
import type { Model } from '../text/embed/model.ts';
import { followCopies } from './follow-copies.ts';

export interface ServedIndex extends Pick<IndexSource, 'view' | 'switches' | 'close'> {
  /** Where threads find it. */
  place: IndexPlace;
  engine: Index['engine'];
  figures: IndexFigures & { indexVersion(): Promise<string> };
}

export interface OpenServedIndexOptions {
  settings: Settings;
  place: IndexPlace;
  model: Model;
  log: Log;
  damage: DamageRegister;
}

/** Rejects with `model_mismatch` or `database_unusable`, and with `degraded` if PostgreSQL is down. */
export async function openServedIndex(options: OpenServedIndexOptions): Promise<ServedIndex> {
  const { settings, place, model, log, damage } = options;
  const versionOf = createIndexVersion(model.queryEncoder, settings);
  const { engine, prepare, source: open } = await openIndex(place);
  await prepare();
  const source = await open({ limits: settings, model, onDamage: damage.report });
  const recorded = await source.model().catch(async (error: unknown) => {
    await source.close();
    throw error;
  });
  if (engine === 'sqlite' && recorded !== undefined && recorded.sha256 !== model.sha256) {
    log.info('index_of_earlier_model', { model: recorded.name, advice: REEMBED_ADVICE });
  }
  const stopFollowing = followCopies(source, {
    log,
    checkMs: settings.indexCopyCheckMs,
    onSwitch: () => damage.forget(isOfIndex),
  });
  const { figures, view, switches } = source;
  const indexVersion = async () => versionOf(await figures.state());
  return {
    place,
    engine,
    figures: noticingAll(damage, partOfFigure, { ...figures, indexVersion }),
    view: noticing(damage, LOOK_UPS, view) as typeof view,
    switches,
    async close() {
      stopFollowing();
      await source.close();
    },
  };
}

/** Before or after each search, the documents are counted and the state is named. */
function partOfFigure(name: string): PartInUse {
  return ['totals', 'countDocuments', 'indexVersion'].includes(name) ? INDEX : LOOK_UPS;
}
