/**
 * Scores how well texts answer a query, with a cross-encoder: a model that reads both at once
 * (R. Nogueira and K. Cho, "Passage re-ranking with BERT", 2019). Running it blocks its thread.
 */
import { join } from 'node:path';
import { messageOf, VerbatimError } from '../../../errors.ts';
import { unusable } from '../manifest.ts';
import { numbersOf, openSession, runOnTokens, type Tensor } from '../onnx-session.ts';
import { openTokenizer } from '../tokenizer.ts';
import { findGraph, readJson } from './hub-files.ts';
import { identifyReranker } from './identify-reranker.ts';
import { inspectScores } from './inspect-graph.ts';

/** Of a query with a title and a sentence, which have fewer. */
const PAIR_TOKENS_MAX = 256;

export interface Reranker {
  /** Of everything that a score depends on. */
  sha256: string;
  /** Returns the score of each text: any number, the greater the better. */
  score(query: string, texts: readonly string[]): Promise<number[]>;
}

/** Opens a folder as model hubs lay it out. Throws `model_unusable`, which names the file and its defect. */
export async function openReranker(folder: string): Promise<Reranker> {
  if (readJson(folder, 'config.json') === undefined) {
    throw unusable(folder, 'config.json is missing');
  }
  const weights = findGraph(folder, undefined);
  const limits = readJson(folder, 'tokenizer_config.json');
  const tokensMax = Math.min(PAIR_TOKENS_MAX, Number(limits?.['model_max_length'] ?? Infinity));
  try {
    const session = await openSession(join(folder, weights));
    const output = inspectScores(folder, weights, session);
    const tokenizer = openTokenizer(folder, tokensMax);
    const scoreOf = async (query: string, text: string): Promise<number> => {
      const pair = await tokenizer.encode(query, text);
      const batch = { ids: [pair.getIds()], types: [pair.getTypeIds()] };
      const found = await runOnTokens(session, batch, [output]);
      return numbersOf(found[output] as Tensor)[0] as number;
    };
    // Now rather than at the first search: a graph may take fewer tokens.
    const longest = await scoreOf('tides', 'tide '.repeat(PAIR_TOKENS_MAX)).catch(messageOf);
    if (!Number.isFinite(longest)) {
      const advice = 'set model_max_length in tokenizer_config.json if that is too many';
      throw unusable(folder, `${weights} cannot score ${tokensMax} tokens: ${longest}; ${advice}`);
    }
    return {
      sha256: identifyReranker(folder),
      async score(query, texts) {
        const scores: number[] = [];
        // One pair a run: padding would cost more than a larger run saves.
        for (const text of texts) scores.push(await scoreOf(query, text));
        return scores;
      },
    };
  } catch (error) {
    throw error instanceof VerbatimError ? error : unusable(folder, messageOf(error));
  }
}
