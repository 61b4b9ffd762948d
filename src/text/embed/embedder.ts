/**
 * Embeds texts as unit vectors. Only this file imports ONNX Runtime and the tokenizer. Running the
 * model blocks its thread, so only workers and one-shot commands create an embedder.
 */
import { join } from 'node:path';
import { env, InferenceSession, Tensor } from 'onnxruntime-node';
import { type Encoding, Tokenizer } from 'tokenizers';
import { messageOf, VerbatimError } from '../../errors.ts';
import type { Embedding } from '../../types.ts';
import { withoutStopStructures } from '../stop-structures.ts';
import type { Providers } from './inference-device.ts';
import { ANSWERS_FILE, type Encoder, TOKENIZER_FILE, WEIGHTS_FILE } from './model.ts';
import { pool } from './pool-tokens.ts';
import { embedWords, type WordEmbedding } from './word-embeddings.ts';

/**
 * The most texts in one run of the model. Measured on one thread with texts sorted by length: 8 to
 * 32 are equally fast, and larger batches exceed the processor's cache.
 */
const TEXTS_PER_RUN = 16;

/** The output of encoders with term embeddings: [texts × tokens × components]. */
const TOKENS_OUTPUT = 'token_embeddings';
/** From which the graph of answers continues: an output of one, an input of the other. */
const HIDDEN_STATES = 'hidden_states';

/** A query as vectors. */
export interface QueryEmbedding {
  vector: Embedding;
  /** Those of its words, if the model has term embeddings. */
  words: readonly WordEmbedding[];
  /** The vector near which the sentences are that answer it, if the model has one for it. */
  answer?: Embedding;
}

export interface Embedder {
  /** Embeds what the text asks for: see stop-structures.ts. */
  embedQuery(text: string): Promise<QueryEmbedding>;
  /**
   * Returns one vector per text, in the order of the texts. A vector depends on its text alone, to
   * the last bit, because only texts with the same number of tokens share a run. Padding would
   * change the order of additions and so the last bit of some vectors. Measured on 64 abstracts, it
   * was no faster.
   */
  embedDocuments(texts: readonly string[]): Promise<Embedding[]>;
}

/** The runtime prints errors that it also throws, even if a fallback handles them. */
env.logLevel = 'fatal';

/**
 * Loads an encoder with one thread, because parallel work is spread over workers. `providers` are
 * the lists to try (see device.ts). Throws `model_unusable` if the files are not a model, or if
 * none of the providers is available.
 */
export async function createEmbedder(
  encoder: Encoder,
  providers: readonly Providers[] = [['cpu']],
): Promise<Embedder> {
  const { session, tokenizer, answers } = await load(encoder, providers);
  const vectorOutput = session.outputNames[0] as string;
  const outputs = [vectorOutput, ...outputsOfQueries(encoder)];

  return {
    async embedQuery(text) {
      const asked = encoder.queryPrefix + withoutStopStructures(text);
      const encoding = await tokenizer.encode(asked);
      const found = await runGraph(session, encoder, [encoding], outputs);
      const [vector] = vectorsOf(found[vectorOutput] as Tensor, encoder, [encoding]);
      const tokens = found[TOKENS_OUTPUT];
      const hidden = found[HIDDEN_STATES];
      return {
        vector: vector as Embedding,
        words: tokens === undefined ? [] : wordsOf(encoding, tokens),
        ...(answers && hidden && { answer: await embedAnswer(answers, hidden) }),
      };
    },
    async embedDocuments(texts) {
      if (texts.length === 0) return [];
      const encodings = await tokenizer.encodeBatch(texts.map((t) => encoder.documentPrefix + t));
      const order = encodings
        .map((encoding, index) => ({ encoding, index, length: encoding.getLength() }))
        .sort((a, b) => a.length - b.length);
      const vectors: Embedding[] = new Array(texts.length);
      for (let start = 0; start < order.length; ) {
        const length = order[start]?.length;
        const batch = order
          .slice(start, start + TEXTS_PER_RUN)
          .filter((one) => one.length === length);
        start += batch.length;
        const run = batch.map(({ encoding }) => encoding);
        const found = await runGraph(session, encoder, run, [vectorOutput]);
        const own = vectorsOf(found[vectorOutput] as Tensor, encoder, run);
        for (const [at, { index }] of batch.entries()) vectors[index] = own[at] as Embedding;
      }
      return vectors;
    },
  };
}

async function load(
  encoder: Encoder,
  providers: readonly Providers[],
): Promise<{
  session: InferenceSession;
  tokenizer: Tokenizer;
  answers: InferenceSession | undefined;
}> {
  try {
    const session = await createSession(join(encoder.folder, WEIGHTS_FILE), providers);
    const tokenizer = Tokenizer.fromFile(join(encoder.folder, TOKENIZER_FILE));
    tokenizer.setTruncation(encoder.tokensMax);
    tokenizer.disablePadding();
    for (const output of outputsOfQueries(encoder)) {
      if (!session.outputNames.includes(output))
        throw new Error(`the graph has no output "${output}"`);
    }
    const answers =
      encoder.answers === undefined
        ? undefined
        : await createSession(join(encoder.folder, ANSWERS_FILE), [['cpu']]);
    return { session, tokenizer, answers };
  } catch (error) {
    throw new VerbatimError(
      'model_unusable',
      `cannot load the model in ${encoder.folder}: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/** What the graph returns of a query besides its vector. */
function outputsOfQueries({ termEmbeddings, answers }: Encoder): string[] {
  return [
    ...(termEmbeddings === undefined ? [] : [TOKENS_OUTPUT]),
    ...(answers === undefined ? [] : [HIDDEN_STATES]),
  ];
}

/** Goes on from the hidden states of one text. */
async function embedAnswer(answers: InferenceSession, hidden: Tensor): Promise<Embedding> {
  const tokens = hidden.dims[1] as number;
  const mask = new Tensor('int32', new Int32Array(tokens).fill(1), [1, tokens]);
  const found = await answers.run({ [HIDDEN_STATES]: hidden, attention_mask: mask });
  return Object.values(found)[0]?.data as Embedding;
}

/** Tries the lists of providers in order. Throws the error of the last one. */
async function createSession(
  path: string,
  [first = ['cpu'], ...others]: readonly Providers[],
): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(path, {
      executionProviders: [...first],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      enableCpuMemArena: true,
    });
  } catch (error) {
    if (others.length === 0) throw error;
    return createSession(path, others);
  }
}

/** Runs the graph on one or more texts with the same number of tokens. Returns the outputs by name. */
async function runGraph(
  session: InferenceSession,
  encoder: Encoder,
  encodings: readonly Encoding[],
  outputs: readonly string[],
): Promise<InferenceSession.OnnxValueMapType> {
  const tokens = encodings[0]?.getLength() ?? 0;
  const shape = [encodings.length, tokens];
  const size = encodings.length * tokens;
  const columns: Record<string, Int32Array> = {
    input_ids: new Int32Array(size),
    attention_mask: new Int32Array(size).fill(1),
    token_type_ids: new Int32Array(size),
  };
  for (const [row, encoding] of encodings.entries()) {
    columns['input_ids']?.set(encoding.getIds(), row * tokens);
  }
  const feeds: Record<string, Tensor> = {};
  for (const input of session.inputMetadata) {
    const column = columns[input.name];
    if (column === undefined || !input.isTensor) {
      throw new Error(`the model in ${encoder.folder} needs an unknown input "${input.name}"`);
    }
    feeds[input.name] =
      input.type === 'int64'
        ? new Tensor('int64', BigInt64Array.from(column, BigInt), shape)
        : new Tensor('int32', column, shape);
  }
  return session.run(feeds, [...outputs]);
}

function vectorsOf(
  output: Tensor,
  { folder, dimensions, pooling }: Encoder,
  encodings: readonly Encoding[],
): Embedding[] {
  const data = output.data as Float32Array;
  const tokens = encodings[0]?.getLength() ?? 0;
  const texts = encodings.length;
  if (data.length !== texts * dimensions * (pooling === 'graph' ? 1 : tokens)) {
    throw new Error(`the model in ${folder} returned the shape ${output.dims.join(' x ')}`);
  }
  const mask = new Int32Array(texts * tokens).fill(1);
  return pool(data, { mask, tokens, texts, dimensions, pooling });
}

function wordsOf(encoding: Encoding, { data, dims }: Tensor): WordEmbedding[] {
  return embedWords(encoding.getTokens(), data as Float32Array, dims.at(-1) as number);
}
