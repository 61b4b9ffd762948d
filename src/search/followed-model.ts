/** The model to which `index reembed` has moved an index: a server goes on with it. */
import { VerbatimError } from '../errors.ts';
import { fits } from '../index/index-facts.ts';
import type { Index } from '../index/ports/index.ts';
import { describeModel, type Model } from '../text/embed/model.ts';
import type { ModelIdentity } from '../types.ts';
import type { SearchLimits } from './search-limits.ts';

/**
 * Returns the model in the folder that the index names; undefined if it names none, or if the folder has
 * another model. Throws `model_unusable` if the folder cannot be read. The files are not checked.
 */
export function followedModel(recorded: ModelIdentity | undefined): Model | undefined {
  if (recorded?.folder === undefined) return undefined;
  const model = describeModel(recorded.folder);
  return fits(recorded, model) ? model : undefined;
}

/**
 * Opens an index with a model, or with the one to which `index reembed` has moved the index. Rejects with
 * `model_mismatch` if neither fits.
 */
export async function openFollowing<Opened>(
  index: Index,
  { model, limits }: { model: Model; limits: SearchLimits },
  open: (model: Model) => Promise<Opened>,
): Promise<Opened> {
  try {
    return await open(model);
  } catch (error) {
    if (!isOfOtherModel(error)) throw error;
    const followed = followedModel(await recordedModel(index, limits));
    if (followed === undefined) throw error;
    return open(followed);
  }
}

/** Whether an index refused a model. */
export function isOfOtherModel(error: unknown): boolean {
  return error instanceof VerbatimError && error.code === 'model_mismatch';
}

/** Returns what an index records of its model. */
async function recordedModel(
  index: Index,
  limits: SearchLimits,
): Promise<ModelIdentity | undefined> {
  const source = await index.source({ limits });
  try {
    return await source.model();
  } finally {
    await source.close();
  }
}
