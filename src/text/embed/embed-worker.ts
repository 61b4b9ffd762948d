/** The role of a thread that embeds documents. */

import { createEmbedder } from './embedder.ts';
import { type Device, providersOf } from './inference-device.ts';
import { loadModel } from './model.ts';

/** All vectors in one array, which is cloned between threads faster than a thousand small ones. */
export type FlatVectors = Float32Array;

export async function createEmbedHandler(
  folder: string,
  device: Device,
): Promise<(texts: string[]) => Promise<FlatVectors>> {
  const model = loadModel(folder);
  const embedder = await createEmbedder(model, providersOf(device));
  return async (texts) => {
    const vectors = await embedder.embedDocuments(texts);
    const flat = new Float32Array(texts.length * model.dimensions);
    for (const [index, vector] of vectors.entries()) flat.set(vector, index * model.dimensions);
    return flat;
  };
}
