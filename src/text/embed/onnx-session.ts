/** Opens and runs graphs. Only this file imports ONNX Runtime. Running a graph blocks its thread. */
import { env, InferenceSession, Tensor } from 'onnxruntime-node';
import { fromFloat16 } from './float16.ts';
import type { Providers } from './inference-device.ts';

export type { InferenceSession, Tensor };

/** The runtime prints errors that it also throws, even if a fallback handles them. */
env.logLevel = 'fatal';

/**
 * Opens a graph with one thread, because parallel work is spread over workers. Tries the lists of
 * providers in order, and throws the error of the last one.
 */
export async function openSession(
  path: string,
  [first = ['cpu'], ...others]: readonly Providers[] = [],
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
    return openSession(path, others);
  }
}

/** What a graph can be given of each token. */
export type TokenInput = 'input_ids' | 'attention_mask' | 'token_type_ids' | 'position_ids';

export const tokenInputs: readonly string[] = [
  ...(['input_ids', 'attention_mask', 'token_type_ids', 'position_ids'] satisfies TokenInput[]),
];

/** Texts with the same number of tokens, of which all are read. */
export interface TokenBatch {
  ids: readonly (readonly number[])[];
  /** Which text of a pair a token is of; all of the first if it is absent. */
  types?: readonly (readonly number[])[];
}

/**
 * Runs a graph with the inputs that it has, in their types. Returns the outputs by name. Throws for an
 * input that is not of a token.
 */
export async function runOnTokens(
  session: InferenceSession,
  { ids, types }: TokenBatch,
  outputs: readonly string[],
): Promise<InferenceSession.OnnxValueMapType> {
  const tokens = ids[0]?.length ?? 0;
  const shape = [ids.length, tokens];
  const size = ids.length * tokens;
  const columns: Record<string, Int32Array> = {
    input_ids: flat(ids, tokens),
    attention_mask: new Int32Array(size).fill(1),
    token_type_ids: types === undefined ? new Int32Array(size) : flat(types, tokens),
    position_ids: Int32Array.from({ length: size }, (_, at) => at % tokens),
  } satisfies Record<TokenInput, Int32Array>;
  const feeds: Record<string, Tensor> = {};
  for (const input of session.inputMetadata) {
    const column = columns[input.name];
    if (column === undefined || !input.isTensor) {
      throw new Error(`the graph needs an unknown input "${input.name}"`);
    }
    feeds[input.name] =
      input.type === 'int64'
        ? new Tensor('int64', BigInt64Array.from(column, BigInt), shape)
        : new Tensor('int32', column, shape);
  }
  return session.run(feeds, [...outputs]);
}

function flat(rows: TokenBatch['ids'], columns: number): Int32Array {
  const numbers = new Int32Array(rows.length * columns);
  for (const [at, row] of rows.entries()) numbers.set(row, at * columns);
  return numbers;
}

/** Returns a mask of 32 bits for one text with so many tokens. */
export function wholeMask(tokens: number): Tensor {
  return new Tensor('int32', new Int32Array(tokens).fill(1), [1, tokens]);
}

/** Returns the numbers of an output in 32 bits. */
export function numbersOf({ data }: Tensor): Float32Array {
  return data instanceof Uint16Array ? fromFloat16(data) : (data as Float32Array);
}
