/** What a graph takes and returns, and which of its outputs is pooled. */
import { join } from 'node:path';
import { messageOf } from '../../../errors.ts';
import { unusable } from '../manifest.ts';
import { type InferenceSession, openSession, tokenInputs } from '../onnx-session.ts';

export interface Graph {
  /** The name of the output to be pooled. */
  output: string;
  /** Whether the graph has pooled it already. */
  isPooled: boolean;
  /** The components of the output; undefined if the graph does not say. */
  dimensions: number | undefined;
}

/** Outputs with the state of each token, and with the vector of the text, by what exporters call them. */
const TOKEN_OUTPUTS = ['last_hidden_state', 'token_embeddings'];
const TEXT_OUTPUTS = ['sentence_embedding', 'text_embeds'];

/** Throws `model_unusable` for what is no graph of an encoder. */
export async function inspectGraph(folder: string, weights: string): Promise<Graph> {
  let session: InferenceSession;
  try {
    session = await openSession(join(folder, weights));
  } catch (error) {
    throw unusable(folder, `${weights}: ${messageOf(error)}`);
  }
  try {
    assertTokenInputs(folder, weights, session);
    const output = chooseOutput(session);
    if (output !== undefined) return output;
    throw unusable(
      folder,
      `${weights}: no output has the states of tokens or the vector of a text`,
    );
  } finally {
    await session.release();
  }
}

/** Returns the name of the output of a graph that gives one score to each text. Throws `model_unusable`. */
export function inspectScores(folder: string, weights: string, session: InferenceSession): string {
  assertTokenInputs(folder, weights, session);
  const [output, ...others] = session.outputMetadata;
  const shape = output?.isTensor ? output.shape : [];
  if (output !== undefined && others.length === 0 && shape.length === 2 && shape[1] === 1) {
    return output.name;
  }
  throw unusable(
    folder,
    `${weights}: a reranker gives one score, not ${shape.join(' × ') || 'other outputs'}`,
  );
}

function assertTokenInputs(folder: string, weights: string, session: InferenceSession): void {
  const unknown = session.inputNames.find((name) => !tokenInputs.includes(name));
  if (unknown === undefined) return;
  const reason = /past_key|decoder|use_cache/.test(unknown)
    ? `it is the graph of a decoder: it needs "${unknown}"`
    : `it needs an unknown input "${unknown}"`;
  throw unusable(folder, `${weights}: ${reason}`);
}

/** Returns undefined if none fits. */
function chooseOutput(session: InferenceSession): Graph | undefined {
  const outputs = session.outputMetadata.flatMap((output) =>
    output.isTensor ? [{ name: output.name, shape: output.shape }] : [],
  );
  const find = (rank: number, names: readonly string[]) =>
    outputs.find(({ name, shape }) => shape.length === rank && names.includes(name));
  const pooled = find(2, TEXT_OUTPUTS);
  const chosen =
    pooled ??
    find(3, TOKEN_OUTPUTS) ??
    outputs.find(({ shape }) => shape.length === 3) ??
    outputs[0];
  const rank = chosen?.shape.length;
  if (chosen === undefined || (rank !== 2 && rank !== 3)) return undefined;
  const last = chosen.shape.at(-1);
  return {
    output: chosen.name,
    isPooled: rank === 2,
    dimensions: typeof last === 'number' ? last : undefined,
  };
}
