/**
 * Splits a list in two: 2-means on unit vectors. A frozen copy for step 3: it never changes, also
 * where today's code in src/vectors/ does.
 */
export interface Half {
  /** Mean of the vectors, at unit length. */
  centroid: Float32Array;
  /** Which of the vectors belong to it. */
  indexes: number[];
}

const ROUNDS = 8;

/** Takes at least two vectors. Neither half is empty. */
export function splitInTwo(vectors: readonly Float32Array[]): Half[] {
  const pick = (indexes: readonly number[]): Float32Array[] =>
    indexes.map((index) => vectors[index] as Float32Array);
  const first = farthest(vectors, meanOf(vectors));
  let centroids = [first, farthest(vectors, first)] as const;
  let halves = assign(vectors, centroids);
  for (let round = 1; round < ROUNDS; round++) {
    centroids = [meanOf(pick(halves[0])), meanOf(pick(halves[1]))];
    halves = assign(vectors, centroids);
  }
  return halves.map((indexes) => ({ centroid: meanOf(pick(indexes)), indexes }));
}

/** The nearer centroid for each vector; by halves where all would go to one. */
function assign(
  vectors: readonly Float32Array[],
  [a, b]: readonly [Float32Array, Float32Array],
): [number[], number[]] {
  const halves: [number[], number[]] = [[], []];
  for (const [index, vector] of vectors.entries()) {
    halves[dot(vector, a) >= dot(vector, b) ? 0 : 1].push(index);
  }
  if (halves[0].length > 0 && halves[1].length > 0) return halves;
  const all = [...vectors.keys()];
  return [all.slice(0, all.length >> 1), all.slice(all.length >> 1)];
}

function farthest(vectors: readonly Float32Array[], from: Float32Array): Float32Array {
  let found = vectors[0] as Float32Array;
  let least = Number.POSITIVE_INFINITY;
  for (const vector of vectors) {
    const cosine = dot(vector, from);
    if (cosine < least) [least, found] = [cosine, vector];
  }
  return found;
}

/** At unit length; a zero vector where they cancel each other out. */
function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (vector[i] as number);
  }
  let squares = 0;
  for (const component of sum) squares += component * component;
  const length = Math.sqrt(squares);
  return length === 0 ? sum : sum.map((component) => component / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
