/** Divides texts into the tokens of a model. Only this file imports the tokenizer. */
import { join } from 'node:path';
import { type Encoding, Tokenizer } from 'tokenizers';
import { messageOf } from '../../errors.ts';
import { TOKENIZER_FILE } from './model.ts';

export type { Encoding, Tokenizer };

/**
 * Opens the tokenizer of a model folder. Texts are cut after `tokensMax` tokens, and never padded. Throws an
 * error that names the file.
 */
export function openTokenizer(folder: string, tokensMax: number): Tokenizer {
  const tokenizer = readTokenizer(folder);
  tokenizer.setTruncation(tokensMax);
  tokenizer.disablePadding();
  return tokenizer;
}

function readTokenizer(folder: string): Tokenizer {
  try {
    return Tokenizer.fromFile(join(folder, TOKENIZER_FILE));
  } catch (error) {
    throw new Error(`${TOKENIZER_FILE}: ${messageOf(error)}`, { cause: error });
  }
}
