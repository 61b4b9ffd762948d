/** Vectors of a file in a build: taken, checked on a sample, and made here where it has none. */
import { describe, expect, it } from 'vitest';
import { COSINE_MIN, TEXTS_COMPARED, usePrecomputed } from '../../src/ingest/precomputed.ts';
import type { Embedding } from '../../src/types.ts';
import { toyVector } from '../index/memory-index.ts';

const texts = (count: number, of = 'text'): string[] =>
  Array.from({ length: count }, (_, n) => `${of} ${n}`);

/** Whose vectors come from the file is told by their last component. */
function marked(vector: Embedding): Embedding {
  const copy = vector.slice();
  copy[copy.length - 1] = Number(copy.at(-1)) * 1.01;
  return copy;
}

function start(...finds: ((text: string) => Embedding | undefined)[]) {
  const embedded: string[][] = [];
  const files = finds.map((find, n) => ({ path: `${n + 1}.vectors`, find }));
  const precomputed = usePrecomputed(files, async (batch) => {
    embedded.push(batch);
    return batch.map(toyVector);
  });
  return { ...precomputed, embedded };
}

describe('usePrecomputed', () => {
  it('takes vectors from the file, embeds the rest, and keeps the order', async () => {
    const { embed, embedded, taken } = start((text) =>
      text.startsWith('known') ? marked(toyVector(text)) : undefined,
    );
    const batch = texts(4).flatMap((text) => [text, `known ${text}`]);
    const vectors = await embed(batch);
    for (const [at, text] of batch.entries()) {
      const own = toyVector(text);
      expect(vectors[at]).toEqual(text.startsWith('known') ? marked(own) : own);
    }
    expect(taken()).toBe(4);
    // Those of the file too: they are compared.
    expect(embedded).toEqual([batch]);
  });

  it('compares several texts at first, and then one of each batch', async () => {
    const { embed, embedded } = start(toyVector);
    for (const of of ['a', 'b', 'c']) await embed(texts(TEXTS_COMPARED + 18, of));
    expect(embedded.map((batch) => batch.length)).toEqual([TEXTS_COMPARED, 1, 1]);
    await start(() => undefined).embed([]);
  });

  it('takes a text from the first file that has it, and compares texts of each file', async () => {
    const { embed, embedded, taken } = start(
      (text) => (text.startsWith('a') ? marked(toyVector(text)) : undefined),
      toyVector,
    );
    const batch = [...texts(TEXTS_COMPARED + 9, 'a'), ...texts(TEXTS_COMPARED + 9, 'b')];
    const vectors = await embed(batch);
    expect(vectors).toEqual(
      batch.map((text) => (text.startsWith('a') ? marked(toyVector(text)) : toyVector(text))),
    );
    expect(taken()).toBe(batch.length);
    expect(embedded.map((made) => made.length)).toEqual([2 * TEXTS_COMPARED]);
    const second = start(
      (text) => (text.startsWith('a') ? toyVector(text) : undefined),
      (text) => toyVector(`${text} elsewhere`),
    );
    await expect(second.embed(batch)).rejects.toThrow(
      'the vectors of 2.vectors are not this model',
    );
  });

  it('embeds locally only for the comparison', async () => {
    const { embed, embedded } = start(() => undefined);
    await embed(texts(3));
    expect(embedded).toEqual([texts(3)]);
  });

  it.each<[what: string, vector: (text: string) => Embedding]>([
    ['of another model', (text) => toyVector(`${text} elsewhere`)],
    ['that are zero', (text) => toyVector(text).fill(0)],
    ['that are no numbers', (text) => toyVector(text).fill(Number.NaN)],
    ['of another length', (text) => toyVector(text).map((component) => 2 * component)],
  ])('refuses vectors %s', async (_what, vector) => {
    const { embed } = start(vector);
    await expect(embed(texts(5))).rejects.toMatchObject({
      code: 'model_mismatch',
      message: expect.stringMatching(
        new RegExp(`^the vectors of 1.vectors are not .* "text 0" .* at least ${COSINE_MIN} `),
      ),
    });
  });

  it('refuses a file that goes wrong later on', async () => {
    let isGood = true;
    const { embed } = start((text) => toyVector(isGood ? text : 'else'));
    await embed(texts(40));
    isGood = false;
    await expect(embed(texts(40))).rejects.toThrow('are not this model');
  });
});
