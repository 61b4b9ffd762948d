/** Checks a model folder by embedding a few texts, measures it on this machine, and writes its manifest. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Embedding } from '../../../types.ts';
import { dotProduct } from '../../../vectors/dot-product.ts';
import { createEmbedder, type Embedder } from '../embedder.ts';
import { MANIFEST_FILE, type Manifest, readManifest, unusable } from '../manifest.ts';
import { encoderOf } from '../model.ts';
import { type HubChoices, planManifest } from './plan-manifest.ts';

export interface AddedModel {
  manifest: Manifest;
  /** Of one thread on this machine. */
  textsPerSecond: number;
  queryMs: number;
  /** What the process grew by: about what each thread takes. */
  memoryBytes: number;
}

/** Two sentences that say the same, and two that have nothing in common with them or each other. */
const PAIR = [
  'The moon pulls the sea, and twice a day the tide rises along the shore.',
  'Twice a day the tide rises along the shore, because the moon pulls the sea.',
] as const;
const OTHERS = [
  'Yeast cells stop dividing when nitrogen runs out.',
  'A database keeps its keys sorted, so that a range is read in one go.',
] as const;

/** Rounding makes the last bits of a component differ; more than this is another vector. */
const SAME_WITHIN = 1e-5;
const TEXTS_MEASURED = 64;
const QUERIES_MEASURED = 20;

/** Throws `model_unusable`, which says which file cannot be used, and why. */
export async function addModel(folder: string, choices: HubChoices): Promise<AddedModel> {
  // A file of another program is not written over.
  if (existsSync(join(folder, MANIFEST_FILE))) readManifest(folder);
  const planned = await planManifest(folder, choices);
  const before = process.memoryUsage.rss();
  const embedder = await createEmbedder(encoderOf(folder, planned));
  const manifest = { ...planned, ...(await checkVectors(folder, embedder)) };
  const chosen = await createEmbedder(encoderOf(folder, manifest));
  const measured = await measure(chosen);
  const memoryBytes = Math.max(0, process.memoryUsage.rss() - before);
  writeFileSync(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
  return { manifest, ...measured, memoryBytes };
}

/** Returns what the manifest must say of runs. Throws `model_unusable` for vectors that mean nothing. */
async function checkVectors(
  folder: string,
  embedder: Embedder,
): Promise<Pick<Manifest, 'textsPerRun'>> {
  const texts = [...PAIR, ...OTHERS];
  const together = await embedder.embedDocuments(texts);
  const again = await embedder.embedDocuments(texts);
  for (const [at, vector] of together.entries()) {
    if (!(Math.abs(Math.hypot(...vector) - 1) < 1e-3)) {
      throw unusable(folder, 'a vector has no length: it is zero or has what is no number');
    }
    if (!areSame(vector, again[at])) {
      throw unusable(folder, 'the same text has another vector each time');
    }
  }
  const [first, second, third, fourth] = together as [Embedding, Embedding, Embedding, Embedding];
  const apart = Math.max(
    dotProduct(first, third),
    dotProduct(second, fourth),
    dotProduct(third, fourth),
  );
  if (dotProduct(first, second) <= apart) {
    throw unusable(
      folder,
      'two sentences that say the same are no closer than two others; check --pooling and the weights',
    );
  }
  return (await dependOnRun(embedder)) ? { textsPerRun: 1 } : {};
}

/** Whether the vector of a text is another one if texts of the same length share its run. */
async function dependOnRun(embedder: Embedder): Promise<boolean> {
  const texts = ['tides rise', 'cells stop', 'keys move', 'moons pull', 'shores turn', 'seas wait'];
  const together = await embedder.embedDocuments(texts);
  for (const [at, text] of texts.entries()) {
    const [alone] = await embedder.embedDocuments([text]);
    if (!areSame(alone, together[at])) return true;
  }
  return false;
}

async function measure(embedder: Embedder): Promise<Omit<AddedModel, 'manifest' | 'memoryBytes'>> {
  const texts = Array.from(
    { length: TEXTS_MEASURED },
    (_, at) => `${PAIR[at % 2]} ${OTHERS[at % 2]}`,
  );
  const started = performance.now();
  await embedder.embedDocuments(texts);
  const seconds = (performance.now() - started) / 1000;
  const queryTimes: number[] = [];
  for (let at = 0; at < QUERIES_MEASURED; at++) {
    const asked = performance.now();
    await embedder.embedQuery('why does the tide rise twice a day');
    queryTimes.push(performance.now() - asked);
  }
  queryTimes.sort((a, b) => a - b);
  return {
    textsPerSecond: TEXTS_MEASURED / seconds,
    queryMs: queryTimes[QUERIES_MEASURED / 2] as number,
  };
}

function areSame(a: Embedding = new Float32Array(), b: Embedding = a): boolean {
  return a.every((value, at) => Math.abs(value - (b[at] ?? 0)) < SAME_WITHIN);
}
