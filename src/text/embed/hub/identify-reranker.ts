/** Identifies a reranker by its files, without opening it. */
import { hashModelFile, TOKENIZER_FILE } from '../model.ts';
import { findGraph } from './hub-files.ts';

/** Returns the hashes of everything that a score depends on; '' without a folder. Throws `model_unusable`. */
export function identifyReranker(folder: string): string {
  if (folder === '') return '';
  const files = [findGraph(folder, undefined), TOKENIZER_FILE];
  return files.map((file) => hashModelFile(folder, file)).join(' ');
}
