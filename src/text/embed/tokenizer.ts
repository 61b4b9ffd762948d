/** Divides texts into the tokens of a model. Only this file imports the tokenizer. */
import { join } from 'node:path';
import { type Encoding, Tokenizer } from 'tokenizers';
import { TOKENIZER_FILE } from './model.ts';

export type { Encoding, Tokenizer };

/** Opens the tokenizer of a model folder. Texts are cut after `tokensMax` tokens, and never padded. */
export function openTokenizer(folder: string, tokensMax: number): Tokenizer {
  const tokenizer = Tokenizer.fromFile(join(folder, TOKENIZER_FILE));
  tokenizer.setTruncation(tokensMax);
  tokenizer.disablePadding();
  return tokenizer;
}
