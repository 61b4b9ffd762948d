/** Opens the index of a server, wherever it is, for its main thread. */

import type { DamageRegister } from '../database/damage/damage-register.ts';
import { noticing, noticingAll } from '../database/damage/notice-damage.ts';
import { INDEX, isOfIndex, LOOK_UPS, type PartInUse } from '../database/damage/parts.ts';
import { fits, REEMBED_ADVICE } from '../index/index-facts.ts';
import type { IndexPlace } from '../index/open/index-place.ts';
import { openIndex } from '../index/open/open-index.ts';
import type { Index } from '../index/ports/index.ts';
import type { IndexFigures, IndexSource } from '../index/ports/index-source.ts';
import type { Log } from '../log.ts';
import { followedModel, openFollowing } from '../search/followed-model.ts';
import { createIndexVersion } from '../search/index-version.ts';
import type { Settings } from '../settings/config.ts';
import { identifyReranker } from '../text/embed/hub/identify-reranker.ts';
import type { Model } from '../text/embed/model.ts';
import type { ModelIdentity } from '../types.ts';
import { followCopies } from './follow-copies.ts';

export interface ServedIndex extends Pick<IndexSource, 'view' | 'switches' | 'close'> {
  /** Where threads find it. */
  place: IndexPlace;
  engine: Index['engine'];
  figures: IndexFigures & { indexVersion(): Promise<string> };
  /** The name of the model, another one after `index reembed`. */
  modelName(): Promise<string>;
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
  const { settings, place, log, damage } = options;
  const index = await openIndex(place);
  const { engine, prepare } = index;
  await prepare();
  const source = await openSource(index, options);
  const recorded = await source.model().catch(async (error: unknown) => {
    await source.close();
    throw error;
  });
  const models = followModels(options, recorded);
  if (engine === 'sqlite' && recorded !== undefined && models.now().sha256 !== recorded.sha256) {
    log.info('index_of_earlier_model', { model: recorded.name, advice: REEMBED_ADVICE });
  }
  const stopFollowing = followCopies(source, {
    log,
    checkMs: settings.indexCopyCheckMs,
    onSwitch: () => damage.forget(isOfIndex),
  });
  const { figures, view, switches } = source;
  const indexVersion = async () => {
    const state = await figures.state();
    return models.versionAt(state, source.model);
  };
  return {
    place,
    engine,
    figures: noticingAll(damage, partOfFigure, { ...figures, indexVersion }),
    view: noticing(damage, LOOK_UPS, view) as typeof view,
    switches,
    async modelName() {
      // Whoever reads the totals says why the index cannot be read.
      models.follow(await source.model().catch(() => undefined));
      return models.now().name;
    },
    async close() {
      stopFollowing();
      await source.close();
    },
  };
}

/** Opens it with the given model, or with the one to which `index reembed` has moved it. */
async function openSource(
  index: Index,
  { settings, model, damage }: OpenServedIndexOptions,
): Promise<IndexSource> {
  const limits = settings;
  return openFollowing(index, { model, limits }, (fitting) =>
    index.source({ limits, model: fitting, onDamage: damage.report }),
  );
}

/** The model of the index, and the versions of answers, which depend on it. */
function followModels(
  { settings, model: given, log }: OpenServedIndexOptions,
  atStart: ModelIdentity | undefined,
) {
  let model = given;
  const reranker = identifyReranker(settings.reranker);
  let versionOf = createIndexVersion({ ...given.queryEncoder, reranker }, settings);
  let last: string | undefined;
  const follow = (recorded: ModelIdentity | undefined): void => {
    if (recorded === undefined || fits(recorded, model)) return;
    const followed = fits(recorded, given) ? given : followedModel(recorded);
    if (followed === undefined) return;
    model = followed;
    versionOf = createIndexVersion({ ...model.queryEncoder, reranker }, settings);
    const advice = `set VERBATIM_MODEL=${recorded.folder ?? ''}`;
    log.warn('index_of_other_model', { model: model.name, advice });
  };
  follow(atStart);
  return {
    now: () => model,
    follow,
    /** `read` is asked when the state is another one. */
    async versionAt(state: string, read: IndexSource['model']): Promise<string> {
      if (state !== last) follow(await read());
      last = state;
      return versionOf(state);
    },
  };
}

/** Before or after each search, the documents are counted and the state is named. */
function partOfFigure(name: string): PartInUse {
  return ['totals', 'countDocuments', 'indexVersion'].includes(name) ? INDEX : LOOK_UPS;
}
