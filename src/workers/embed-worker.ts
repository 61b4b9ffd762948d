/** Embeds documents for the builder. */
import { type Device, providersOf } from '../embed/device.ts';
import { createEmbedder } from '../embed/embedder.ts';
import { loadModel } from '../embed/model.ts';
import type { Embedding } from '../types.ts';
import { createPool, type Pool } from './pool.ts';

/** All vectors one after the other: one array is cloned faster than a thousand. */
type Flat = Float32Array;

export async function createEmbedHandler(
  folder: string,
  device: Device,
): Promise<(texts: string[]) => Promise<Flat>> {
  const model = loadModel(folder);
  const embedder = await createEmbedder(model, providersOf(device));
  return async (texts) => {
    const vectors = await embedder.embedDocuments(texts);
    const flat = new Float32Array(texts.length * model.dimensions);
    for (const [index, vector] of vectors.entries()) flat.set(vector, index * model.dimensions);
    return flat;
  };
}

export interface EmbedPool {
  /** One vector a text, in their order. */
  embed(texts: string[]): Promise<Embedding[]>;
  close(): Promise<void>;
}

/** Threads that embed. `queueMax`: batches that wait at most. */
export function createEmbedPool(options: {
  model: string;
  device: Device;
  threads: number;
  queueMax: number;
}): EmbedPool {
  const { model, device, threads, queueMax } = options;
  const pool: Pool<string[], Flat> = createPool({
    ...{ threads, queueMax },
    data: { role: 'embed', model, device },
  });
  return {
    async embed(texts) {
      const flat = await pool.run(texts);
      const dimensions = flat.length / Math.max(1, texts.length);
      return texts.map((_, i) => flat.subarray(i * dimensions, (i + 1) * dimensions));
    },
    close: () => pool.close(),
  };
}
