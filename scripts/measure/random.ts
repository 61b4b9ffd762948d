/** Seeded random numbers: the same seed gives the same draws on every machine. */
import { createHash } from 'node:crypto';

export interface Random {
  /** Returns an integer from 0 to `limit` - 1. */
  below(limit: number): number;
  /** Returns a number from 0 to below 1. */
  unit(): number;
}

/** Any text is a seed. Seeds that differ in one character give unrelated draws. */
export function createRandom(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  const unit = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  return { unit, below: (limit) => Math.floor(unit() * limit) };
}

/** Returns one of the items; undefined, whatever its type says, if there are none. */
export function oneOf<Item>(items: readonly Item[], random: Random): Item {
  return items[random.below(items.length)] as Item;
}

/** Returns the items in random order. */
export function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [shuffled[last], shuffled[other]] = [shuffled[other] as Item, shuffled[last] as Item];
  }
  return shuffled;
}
