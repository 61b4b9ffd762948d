/**
 * Chooses which value to evict for a new one, so that no owner evicts another's without need. Pure.
 */

export interface EvictionBounds {
  valuesMax: number;
  valuesPerOwnerMax: number;
}

/**
 * Returns the name of the value to evict before `owner` may add one; undefined if there is room. An
 * owner at their own limit loses their oldest value. If the total is full, the owner with the most
 * values loses their oldest. `values` is sorted from oldest to newest.
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
  let largestOwner = owner;
  // Counts the new value, so that in a tie the owner who asks for room loses.
  let most = own + 1;
  for (const [candidate, count] of counts) {
    if (count > most) [largestOwner, most] = [candidate, count];
  }
  // An owner without values has none to lose, even if all others have just one.
  return oldestOf(values, largestOwner) ?? [...values.keys()][0];
}

function oldestOf(
  values: ReadonlyMap<string, { owner: number }>,
  owner: number,
): string | undefined {
  for (const [name, value] of values) if (value.owner === owner) return name;
  return undefined;
}
