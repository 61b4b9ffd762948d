/**
 * Embeds texts as unit vectors. Running the model blocks its thread, so only workers and one-shot commands
 * create an embedder.
 */
import { join } from 'node:path';
import { messageOf, VerbatimError } from '../../errors.ts';
import type { Embedding } from '../../types.ts';
import { withoutStopStructures } from '../stop-structures.ts';
import { type DenseLayer, readDenseLayer } from './dense-layer.ts';
import type { Providers } from './inference-device.ts';
import { ANSWERS_FILE, type Encoder, WEIGHTS_FILE } from './model.ts';
import {
  type InferenceSession,
  numbersOf,
  openSession,
  runOnTokens,
  type Tensor,
  wholeMask,
} from './onnx-session.ts';
import { normalize, pool } from './pool-tokens.ts';
import { type Encoding, openTokenizer, type Tokenizer } from './tokenizer.ts';
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

/**
 * Loads an encoder with one thread, because parallel work is spread over workers. `providers` are
 * the lists to try (see device.ts). Throws `model_unusable` if the files are not a model, or if
 * none of the providers is available.
 */
export async function createEmbedder(
  encoder: Encoder,
  providers: readonly Providers[] = [['cpu']],
): Promise<Embedder> {
  const { session, tokenizer, answers, dense } = await load(encoder, providers);
  const vectorOutput = encoder.output ?? (session.outputNames[0] as string);
  const { textsPerRun = TEXTS_PER_RUN } = encoder;
  const outputs = [vectorOutput, ...outputsOfQueries(encoder)];

  return {
    async embedQuery(text) {
      const asked = encoder.queryPrefix + withoutStopStructures(text);
      const encoding = await tokenizer.encode(asked);
      const found = await runOnTokens(session, { ids: [encoding.getIds()] }, outputs);
      const [vector] = vectorsOf(found[vectorOutput] as Tensor, { encoder, dense }, [encoding]);
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
          .slice(start, start + textsPerRun)
          .filter((one) => one.length === length);
        start += batch.length;
        const run = batch.map(({ encoding }) => encoding);
        const ids = run.map((encoding) => encoding.getIds());
        const found = await runOnTokens(session, { ids }, [vectorOutput]);
        const own = vectorsOf(found[vectorOutput] as Tensor, { encoder, dense }, run);
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
  dense: DenseLayer[];
}> {
  try {
    const { folder, weights = WEIGHTS_FILE, output } = encoder;
    const session = await openSession(join(folder, weights), providers);
    const tokenizer = openTokenizer(folder, encoder.tokensMax);
    for (const name of [output, ...outputsOfQueries(encoder)]) {
      if (name !== undefined && !session.outputNames.includes(name))
        throw new Error(`the graph has no output "${name}"`);
    }
    const answers =
      encoder.answers === undefined ? undefined : await openSession(join(folder, ANSWERS_FILE));
    const dense = (encoder.dense ?? []).map((layer) => readDenseLayer(folder, layer));
    return { session, tokenizer, answers, dense };
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
  const found = await answers.run({ [HIDDEN_STATES]: hidden, attention_mask: wholeMask(tokens) });
  return Object.values(found)[0]?.data as Embedding;
}

function vectorsOf(
  output: Tensor,
  { encoder, dense }: { encoder: Encoder; dense: readonly DenseLayer[] },
  encodings: readonly Encoding[],
): Embedding[] {
  const { folder, dimensions, pooling, outputDimensions = dimensions } = encoder;
  const data = numbersOf(output);
  const tokens = encodings[0]?.getLength() ?? 0;
  const texts = encodings.length;
  if (data.length !== texts * outputDimensions * (pooling === 'graph' ? 1 : tokens)) {
    throw new Error(`the model in ${folder} returned the shape ${output.dims.join(' x ')}`);
  }
  const mask = new Int32Array(texts * tokens).fill(1);
  const pooled = pool(data, { mask, tokens, texts, dimensions: outputDimensions, pooling });
  return pooled.map((vector) => {
    const last = dense.reduce((before, layer) => layer.apply(before), vector);
    return normalize(last.length === dimensions ? last : last.slice(0, dimensions));
  });
}

function wordsOf(encoding: Encoding, { data, dims }: Tensor): WordEmbedding[] {
  return embedWords(encoding.getTokens(), data as Float32Array, dims.at(-1) as number);
}
