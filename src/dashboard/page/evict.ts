/** Which value makes room for a new one, so that no owner pushes out what belongs to another. Pure. */

export interface EvictionBounds {
  valuesMax: number;
  valuesPerOwnerMax: number;
}

/**
 * The name of the value that has to go before `owner` may have one more; undefined where there is
 * room. Whoever has as many as one may have loses their own oldest; where there are too many in
 * all, whoever has the most does. `values` is in the order of age, the oldest first.
 */
export function evicted(
  values: ReadonlyMap<string, { owner: number }>,
  owner: number,
  { valuesMax, valuesPerOwnerMax }: EvictionBounds,
): string | undefined {
  const counts = new Map<number, number>();
  for (const value of values.values()) counts.set(value.owner, (counts.get(value.owner) ?? 0) + 1);
  const own = counts.get(owner) ?? 0;
  if (own >= valuesPerOwnerMax) return oldestOf(values, owner);
  if (values.size < valuesMax) return undefined;
  let loser = owner;
  // With the one to come; of two who have as many, it is whose new value asks for the room.
  let most = own + 1;
  for (const [candidate, count] of counts) {
    if (count > most) [loser, most] = [candidate, count];
  }
  // Somebody without a value has none to lose, though all others may have one each.
  return oldestOf(values, loser) ?? [...values.keys()][0];
}

function oldestOf(
  values: ReadonlyMap<string, { owner: number }>,
  owner: number,
): string | undefined {
  for (const [name, value] of values) if (value.owner === owner) return name;
  return undefined;
}
