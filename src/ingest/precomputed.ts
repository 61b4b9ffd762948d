/**
 * Embeds with vectors computed on another machine: takes those in the file, and embeds the rest
 * locally. Some vectors of the file are computed locally too, because a file of another model, or of
 * a model used differently, must not get into the index.
 */
import { VerbatimError } from '../errors.ts';
import type { Embedding } from '../types.ts';

/**
 * The smallest accepted cosine between a vector in the file and the local one. Measured: the 8-bit
 * model and its original have at least 0.998; another model has no more than chance.
 */
export const COSINE_MIN = 0.99;

/** Texts compared before anything is written. After that, one of each batch is compared. */
export const TEXTS_COMPARED = 32;

export type Embed = (texts: string[]) => Promise<Embedding[]>;

export interface Precomputed {
  embed: Embed;
  /** Texts whose vectors came from the file so far. */
  taken(): number;
}

/** `find`: the vector of a text in the file. `embed`: embeds locally. */
export function usePrecomputed(source: {
  path: string;
  find: (text: string) => Embedding | undefined;
  embed: Embed;
}): Precomputed {
  let compared = 0;
  let taken = 0;
  return {
    taken: () => taken,
    async embed(texts) {
      const found = texts.map(source.find);
      const known = [...found.keys()].filter((at) => found[at] !== undefined);
      const toCompare = spread(known, Math.max(1, TEXTS_COMPARED - compared));
      compared += toCompare.length;
      taken += known.length;
      const isCompared = new Set(toCompare);
      const own = [...found.keys()].filter((at) => found[at] === undefined || isCompared.has(at));
      const vectors = own.length === 0 ? [] : await source.embed(own.map((at) => texts[at] ?? ''));
      for (const [index, at] of own.entries()) {
        const vector = vectors[index] as Embedding;
        const precomputed = found[at];
        if (precomputed === undefined) found[at] = vector;
        else compare(precomputed, vector, { path: source.path, text: texts[at] ?? '' });
      }
      return found as Embedding[];
    },
  };
}

/** Evenly spaced items, `count` at most. */
function spread<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items];
  return Array.from(
    { length: count },
    (_, index) => items[Math.floor((index * items.length) / count)] as Item,
  );
}

/** Both vectors should have unit length. */
function compare(
  precomputed: Embedding,
  own: Embedding,
  { path, text }: { path: string; text: string },
): void {
  const cosine = precomputed.reduce((sum, component, at) => sum + component * (own[at] ?? 0), 0);
  if (Math.abs(cosine - 1) <= 1 - COSINE_MIN) return;
  throw new VerbatimError(
    'model_mismatch',
    `the vectors of ${path} are not this model's: that of ${JSON.stringify(text.slice(0, 60))} ` +
      `has the cosine ${cosine.toFixed(3)} with the one computed here, at least ${COSINE_MIN} ` +
      'is expected',
  );
}
