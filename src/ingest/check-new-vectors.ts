/** Checks the vectors of a move to another model before the old ones go: some documents are embedded again. */
import { VerbatimError } from '../errors.ts';
import type { Reembedding } from '../index/documents/reembedded-documents.ts';
import { dotProduct } from '../vectors/dot-product.ts';
import { COSINE_MIN, type Embed } from './precomputed.ts';
import { prepareDocument, withVectors } from './prepare.ts';

/** Documents from all over the index. */
const DOCUMENTS_CHECKED = 64;

/**
 * Throws `verify_failed` if a document's own vector, which all of its units make, is another one, or if one
 * of its units has none.
 */
export async function checkNewVectors(reembedding: Reembedding, embed: Embed): Promise<void> {
  const { documents } = reembedding.totals();
  const sample = reembedding.sample(Math.min(documents, DOCUMENTS_CHECKED));
  for (const { source, spans, stored } of sample) {
    const prepared = prepareDocument(source, { spans });
    const { own, units } = withVectors(prepared, await embed(prepared.texts));
    const [storedOwn = new Float32Array(), ...storedUnits] = stored;
    const cosine = dotProduct(own, storedOwn);
    if (Math.abs(cosine - 1) <= 1 - COSINE_MIN && storedUnits.length === units.length) continue;
    throw new VerbatimError(
      'verify_failed',
      `the new vectors of ${source.id} are not those of the model (cosine ${cosine.toFixed(3)}); ` +
        'they were removed, and the index has its old ones: run the command again',
    );
  }
}
