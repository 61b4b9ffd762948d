/**
 * Texts to unit vectors. The only file that imports the ONNX runtime and the tokenizer. Running
 * the graph blocks its thread, so nothing but a worker or a one-shot command makes an embedder.
 */
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { type Encoding, Tokenizer } from 'tokenizers';
import { messageOf, VerbatimError } from '../errors.ts';
import type { Embedding } from '../types.ts';
import { type Model, TOKENIZER_FILE, WEIGHTS_FILE } from './model.ts';
import { pool } from './pool-tokens.ts';

/**
 * Texts of one run of the graph. Measured with texts sorted by length on one thread: 8 to 32 are
 * equally fast, larger batches fall out of the processor's cache.
 */
const TEXTS_PER_RUN = 16;

export interface Embedder {
  embedQuery(text: string): Promise<Embedding>;
  /** One vector a text, in the order of the texts. */
  embedDocuments(texts: readonly string[]): Promise<Embedding[]>;
}

/**
 * Loads the model with one thread: parallel work is done by several workers, not by one graph.
 * Throws `model_unusable` for files that are no model.
 */
export async function createEmbedder(model: Model): Promise<Embedder> {
  const { session, tokenizer } = await load(model);
  const run = (encodings: Encoding[]) => runGraph(session, model, encodings);

  return {
    async embedQuery(text) {
      const [vector] = await run([await tokenizer.encode(model.queryPrefix + text)]);
      return vector as Embedding;
    },
    async embedDocuments(texts) {
      if (texts.length === 0) return [];
      const encodings = await tokenizer.encodeBatch(texts.map((t) => model.documentPrefix + t));
      // Sorted by length, so that little of a run is padding.
      const order = encodings
        .map((encoding, index) => ({ encoding, index, length: encoding.getLength() }))
        .sort((a, b) => a.length - b.length);
      const vectors: Embedding[] = new Array(texts.length);
      for (let start = 0; start < order.length; start += TEXTS_PER_RUN) {
        const batch = order.slice(start, start + TEXTS_PER_RUN);
        const outputs = await run(batch.map(({ encoding }) => encoding));
        for (const [at, { index }] of batch.entries()) vectors[index] = outputs[at] as Embedding;
      }
      return vectors;
    },
  };
}

async function load(model: Model): Promise<{ session: InferenceSession; tokenizer: Tokenizer }> {
  try {
    const session = await InferenceSession.create(join(model.folder, WEIGHTS_FILE), {
      executionProviders: ['cpu'],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      enableCpuMemArena: true,
    });
    const tokenizer = Tokenizer.fromFile(join(model.folder, TOKENIZER_FILE));
    tokenizer.setTruncation(model.tokensMax);
    tokenizer.disablePadding();
    return { session, tokenizer };
  } catch (error) {
    throw new VerbatimError(
      'model_unusable',
      `cannot load the model in ${model.folder}: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

async function runGraph(
  session: InferenceSession,
  model: Model,
  encodings: readonly Encoding[],
): Promise<Embedding[]> {
  const tokens = Math.max(...encodings.map((encoding) => encoding.getLength()));
  const shape = [encodings.length, tokens];
  const mask = new Int32Array(encodings.length * tokens);
  const columns: Record<string, Int32Array> = {
    input_ids: new Int32Array(mask.length),
    attention_mask: mask,
    token_type_ids: new Int32Array(mask.length),
  };
  for (const [row, encoding] of encodings.entries()) {
    columns['input_ids']?.set(encoding.getIds(), row * tokens);
    mask.fill(1, row * tokens, row * tokens + encoding.getLength());
  }
  const feeds: Record<string, Tensor> = {};
  for (const input of session.inputMetadata) {
    const column = columns[input.name];
    if (column === undefined || !input.isTensor) {
      throw new Error(`the model in ${model.folder} asks for an unknown input "${input.name}"`);
    }
    feeds[input.name] =
      input.type === 'int64'
        ? new Tensor('int64', BigInt64Array.from(column, BigInt), shape)
        : new Tensor('int32', column, shape);
  }
  const outputs = await session.run(feeds);
  const output = outputs[session.outputNames[0] as string] as Tensor;
  const data = output.data as Float32Array;
  const { dimensions, pooling } = model;
  const sizeExpected = encodings.length * dimensions * (pooling === 'graph' ? 1 : tokens);
  if (data.length !== sizeExpected) {
    throw new Error(`the model in ${model.folder} returned the shape ${output.dims.join(' x ')}`);
  }
  return pool(data, { mask, tokens, texts: encodings.length, dimensions, pooling });
}
