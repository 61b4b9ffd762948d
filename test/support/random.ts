/** Chance that can be repeated: the seed is printed, and VERBATIM_TEST_SEED sets it. */

export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
}

export function testSeed(): number {
  const value = process.env['VERBATIM_TEST_SEED'];
  return value === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(value);
}

/** The generator mulberry32: small, and good enough to pick moments and queries. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return {
    below(limit) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
    },
  };
}
