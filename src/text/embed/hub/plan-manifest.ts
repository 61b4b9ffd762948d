/** Turns a folder of a model hub, and what its operator chose, into a manifest. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readDenseLayer } from '../dense-layer.ts';
import {
  areDimensions,
  DIMENSIONS_MAX,
  type Manifest,
  type Pooling,
  unusable,
} from '../manifest.ts';
import { externalWeightsOf, hashModelFile, TOKENIZER_FILE } from '../model.ts';
import { findGraph, readJson } from './hub-files.ts';
import { inspectGraph } from './inspect-graph.ts';
import { readHubFolder } from './read-hub-folder.ts';

/** What the folder does not say, or what is wanted otherwise. */
export interface HubChoices {
  name?: string;
  /** The graph, if there are several. */
  weights?: string;
  pooling?: Pooling;
  /** Fewer than the model has, which it must be trained for. */
  dimensions?: number;
  queryPrompt?: string;
  documentPrompt?: string;
  languages?: NonNullable<Manifest['languages']>;
}

/** Throws `model_unusable`, which names the file that cannot be used, and why. */
export async function planManifest(folder: string, choices: HubChoices): Promise<Manifest> {
  const described = readHubFolder(folder);
  const weights = findGraph(folder, choices.weights);
  const graph = await inspectGraph(folder, weights);
  const pooling = graph.isPooled ? 'graph' : (choices.pooling ?? described.pooling);
  if (pooling === undefined) {
    throw unusable(folder, '1_Pooling/config.json is missing; say how to pool with --pooling');
  }
  // A graph that pools has the layers after it, too.
  const dense = graph.isPooled ? [] : described.dense;
  const hidden = Number(readJson(folder, 'config.json')?.['hidden_size']);
  const pooled = graph.dimensions ?? hidden;
  const dimensions = chooseDimensions(folder, fullDimensions(folder, pooled, dense), choices);
  const external = externalWeightsOf(weights);
  const files = [weights, TOKENIZER_FILE, ...dense.map(({ file }) => file)];
  if (existsSync(join(folder, external))) files.push(external);
  return {
    name: choices.name ?? described.name,
    dimensions,
    tokensMax: described.tokensMax,
    pooling,
    queryPrefix: choices.queryPrompt ?? described.queryPrefix,
    documentPrefix: choices.documentPrompt ?? described.documentPrefix,
    weights,
    output: graph.output,
    ...(pooled === dimensions ? {} : { outputDimensions: pooled }),
    ...(dense.length === 0 ? {} : { dense }),
    ...(choices.languages && { languages: choices.languages }),
    files: Object.fromEntries(files.map((file) => [file, { sha256: hashModelFile(folder, file) }])),
  };
}

/** Returns what the layers make of the pooled components. Throws if they do not fit each other. */
function fullDimensions(folder: string, pooled: number, dense: Manifest['dense'] = []): number {
  let dimensions = pooled;
  for (const layer of dense) {
    const { inputs, outputs } = readDenseLayer(folder, layer);
    if (inputs !== dimensions) {
      throw unusable(folder, `${layer.file}: it takes ${inputs} components, not ${dimensions}`);
    }
    dimensions = outputs;
  }
  return dimensions;
}

function chooseDimensions(folder: string, full: number, { dimensions = full }: HubChoices): number {
  if (dimensions <= full && areDimensions(dimensions)) return dimensions;
  const allowed = `a multiple of 8 up to ${Math.min(full, DIMENSIONS_MAX)}`;
  const reason =
    dimensions === full
      ? `its vectors have ${full} components; choose ${allowed} with --dimensions, if it is trained for that`
      : `--dimensions must be ${allowed}`;
  throw unusable(folder, reason);
}
