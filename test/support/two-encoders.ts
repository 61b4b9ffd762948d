/** A folder of a model of two encoders. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledModelPath } from '../../src/settings/bundle.ts';

/** What the encoder of queries reads in front of queries, and of documents. */
export const QUERY_PREFIX = 'question: ';
export const DOCUMENT_PREFIX = 'passage: ';

/**
 * Makes the model in a new folder and returns the folder. Documents have the bundled encoder. Queries
 * have the same weights, but with other prefixes, so that a test can tell the encoders apart.
 */
export function makeTwoEncoders(folder: string): string {
  const bundled = bundledModelPath();
  const manifest = JSON.parse(readFileSync(join(bundled, 'manifest.json'), 'utf8'));
  const changes = {
    '': { name: 'two', queryEncoder: 'query' },
    query: { name: 'cheaper', queryPrefix: QUERY_PREFIX, documentPrefix: DOCUMENT_PREFIX },
  };
  for (const [name, change] of Object.entries(changes)) {
    mkdirSync(join(folder, name), { recursive: true });
    for (const file of Object.keys(manifest.files)) {
      symlinkSync(join(bundled, file), join(folder, name, file));
    }
    const changed = JSON.stringify({ ...manifest, ...change });
    writeFileSync(join(folder, name, 'manifest.json'), changed);
  }
  return folder;
}
