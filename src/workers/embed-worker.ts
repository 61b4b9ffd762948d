/** What a thread does that embeds documents for the builder. */
import { type Device, providersOf } from '../embed/device.ts';
import { createEmbedder } from '../embed/embedder.ts';
import { loadModel } from '../embed/model.ts';

/** All vectors one after the other: one array is cloned faster than a thousand. */
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
