/** Vectors for tests: any ones, random ones, and the plain loops that the fast ones must agree with. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import wabt from 'wabt';
import { normalize } from '../../src/text/embed/pool-tokens.ts';
import type { Embedding } from '../../src/types.ts';
import { createRandom } from './random.ts';

/** Lengths below, at and above a block of 64, and that of the model. */
export const ANY_DIMENSIONS = fc.constantFrom(1, 17, 63, 64, 65, 130, 384);

export function anyVector(dimensions: number): fc.Arbitrary<Embedding> {
  const component = fc.oneof(
    fc.double({ min: -1, max: 1, noNaN: true }),
    fc.constantFrom(0, 1e-6, -1e-6, 1, -1),
  );
  return fc
    .array(component, { minLength: dimensions, maxLength: dimensions })
    .map((components) => Float32Array.from(components));
}

export function unitVector(dimensions: number): fc.Arbitrary<Embedding> {
  return anyVector(dimensions)
    .filter((vector) => Math.hypot(...vector) > 1e-3)
    .map(normalize);
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Number(a[i]) * Number(b[i]);
  return sum;
}

/** Returns a function that draws unit vectors, in every direction alike. */
export function vectorSource(seed: number, dimensions: number): () => Embedding {
  const random = createRandom(seed);
  const uniform = (): number => (random.below(2 ** 24) + 0.5) / 2 ** 24;
  // Box and Muller: normally distributed components.
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return () => normalize(Float32Array.from({ length: dimensions }, normal));
}

/** Unit vectors around so many centroids, as those of papers lie around subjects. */
export function clusteredVectors(
  count: number,
  { seed, dimensions, clusters }: { seed: number; dimensions: number; clusters: number },
): Embedding[] {
  const draw = vectorSource(seed, dimensions);
  const centroids = Array.from({ length: clusters }, draw);
  return Array.from({ length: count }, (_, i) =>
    near(centroids[i % clusters] as Embedding, draw()),
  );
}

/** Between the two, a little nearer to the first. */
export function near(vector: Embedding, other: Embedding): Embedding {
  return normalize(vector.map((component, i) => 1.2 * component + (other[i] as number)));
}

/** A WebAssembly text under src/vectors, compiled, in base64. */
export async function compileText(name: string): Promise<string> {
  const path = resolve(import.meta.dirname, '../../src/vectors', name);
  const module = (await wabt()).parseWat(path, readFileSync(path, 'utf8'), {
    simd: true,
    bulk_memory: true,
  });
  return Buffer.from(module.toBinary({}).buffer).toString('base64');
}
