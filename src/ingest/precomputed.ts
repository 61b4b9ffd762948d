/**
 * Embeds with vectors computed on other machines: takes those in the files, and embeds the rest
 * locally. Some vectors of each file are computed locally too, because a file of another model, or of
 * a model used differently, must not get into the index.
 */
import { VerbatimError } from '../errors.ts';
import type { Embedding } from '../types.ts';
import { dotProduct } from '../vectors/dot-product.ts';

/**
 * The smallest accepted cosine between a vector in the file and the local one. Measured: the 8-bit
 * model and its original have at least 0.998; another model has no more than chance.
 */
export const COSINE_MIN = 0.99;

/** Texts of each file compared before anything of it is written. After that, one of each batch is. */
export const TEXTS_COMPARED = 32;

export type Embed = (texts: string[]) => Promise<Embedding[]>;

export interface Precomputed {
  embed: Embed;
  /** Texts whose vectors came from the files so far. */
  taken(): number;
}

/** A file of vectors. */
export interface VectorsToUse {
  path: string;
  /** Returns the vector of a text, undefined if the file does not have it. */
  find(text: string): Embedding | undefined;
}

interface Found {
  vector: Embedding;
  path: string;
}

/** The first file that has a text provides its vector. `embedHere` embeds locally. */
export function usePrecomputed(files: readonly VectorsToUse[], embedHere: Embed): Precomputed {
  const compared = new Map<string, number>();
  let taken = 0;
  /** Chooses which vectors of a file in a batch are compared. */
  const chooseFrom = (path: string, known: readonly number[]): number[] => {
    const before = compared.get(path) ?? 0;
    const chosen = spread(known, Math.max(1, TEXTS_COMPARED - before));
    compared.set(path, before + chosen.length);
    return chosen;
  };
  return {
    taken: () => taken,
    async embed(texts) {
      const found = texts.map((text) => findIn(files, text));
      const all = [...found.keys()];
      const toCompare = files.flatMap(({ path }) =>
        chooseFrom(
          path,
          all.filter((at) => found[at]?.path === path),
        ),
      );
      taken += found.filter((one) => one !== undefined).length;
      const isCompared = new Set(toCompare);
      const own = all.filter((at) => found[at] === undefined || isCompared.has(at));
      const vectors = own.length === 0 ? [] : await embedHere(own.map((at) => texts[at] ?? ''));
      const made = new Map(own.map((at, index) => [at, vectors[index] as Embedding]));
      for (const at of toCompare) {
        compare(found[at] as Found, made.get(at) as Embedding, texts[at] ?? '');
      }
      return all.map((at) => found[at]?.vector ?? (made.get(at) as Embedding));
    },
  };
}

function findIn(files: readonly VectorsToUse[], text: string): Found | undefined {
  for (const { path, find } of files) {
    const vector = find(text);
    if (vector !== undefined) return { vector, path };
  }
  return undefined;
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
function compare({ vector, path }: Found, own: Embedding, text: string): void {
  const cosine = dotProduct(vector, own);
  if (Math.abs(cosine - 1) <= 1 - COSINE_MIN) return;
  throw new VerbatimError(
    'model_mismatch',
    `the vectors of ${path} are not this model's: that of ${JSON.stringify(text.slice(0, 60))} ` +
      `has the cosine ${cosine.toFixed(3)} with the one computed here, at least ${COSINE_MIN} ` +
      'is expected',
  );
}
