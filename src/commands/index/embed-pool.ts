/** The pool of threads that embed documents for index builds. */

import type { Settings } from '../../settings/config.ts';
import type { FlatVectors } from '../../text/embed/embed-worker.ts';
import { type Device, deviceNamed } from '../../text/embed/inference-device.ts';
import type { Embedding } from '../../types.ts';
import { createPool, type Pool } from '../../workers/pool.ts';

export interface EmbedPool {
  /** Returns one vector per text, in order. */
  embed(texts: string[]): Promise<Embedding[]>;
  close(): Promise<void>;
}

/** Has the threads of the settings, with room for the batches that they embed and one more. */
export function openEmbedPool(
  settings: Pick<Settings, 'model' | 'embedDevice' | 'embedThreads'>,
  queueMax = settings.embedThreads + 2,
): EmbedPool {
  const { model, embedDevice, embedThreads: threads } = settings;
  return createEmbedPool({ model, device: deviceNamed(embedDevice), threads, queueMax });
}

/**
 * The threads start with the first texts: a build that finds nothing new loads no model in them.
 * `queueMax` is the number of batches that may wait.
 */
export function createEmbedPool(options: {
  model: string;
  device: Device;
  threads: number;
  queueMax: number;
}): EmbedPool {
  const { model, device, threads, queueMax } = options;
  const data = { role: 'embed', model, device };
  let pool: Pool<string[], FlatVectors> | undefined;
  return {
    async embed(texts) {
      pool ??= createPool({ threads, queueMax, data });
      const flat = await pool.run(texts);
      const dimensions = flat.length / Math.max(1, texts.length);
      return texts.map((_, i) => flat.subarray(i * dimensions, (i + 1) * dimensions));
    },
    close: async () => pool?.close(),
  };
}
