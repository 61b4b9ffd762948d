/** How a command gets the vectors of texts: from files that were written elsewhere, else from its threads. */

import { openVectors } from '../../index/vector-file.ts';
import { type Embed, usePrecomputed } from '../../ingest/precomputed.ts';
import type { Settings } from '../../settings/config.ts';
import { describeModel } from '../../text/embed/model.ts';
import { openEmbedPool } from './embed-pool.ts';

export interface Embedding {
  embed: Embed;
  /** Vectors that came from the files; undefined without files. */
  taken(): number | undefined;
  close(): Promise<void>;
}

/** Opens the files of vectors and starts the embedding threads. Throws what `openVectors` throws. */
export function openEmbedding(settings: Settings, paths: readonly string[] = []): Embedding {
  const model = describeModel(settings.model);
  const files: (ReturnType<typeof openVectors> & { path: string })[] = [];
  const closeFiles = (): void => {
    for (const file of files) file.close();
  };
  try {
    for (const path of paths) files.push({ path, ...openVectors(path, model) });
  } catch (error) {
    closeFiles();
    throw error;
  }
  const { embed, close: closePool } = openEmbedPool(settings);
  const isWithFiles = files.length > 0;
  return {
    ...(isWithFiles ? usePrecomputed(files, embed) : { embed, taken: () => undefined }),
    async close() {
      await closePool();
      closeFiles();
    },
  };
}
