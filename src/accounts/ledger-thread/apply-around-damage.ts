/**
 * Applies a list of operations although some of them meet damage. SQLite commits no transaction in which
 * it met damage, so the others are applied once more without them.
 */
import { failureOf, type Outcome } from '../../workers/outcome.ts';

/** Thrown within a transaction by the operation that met damage. */
export class MetDamage extends Error {
  /** The place of the operation in its list. */
  readonly index: number;

  constructor(index: number, cause: unknown) {
    super('an operation met damage', { cause });
    this.index = index;
  }
}

/**
 * Returns the results in the order of the operations. `apply` applies a list in one transaction, and
 * throws `MetDamage` if nothing of it was written. What `insteadOf` returns for an operation that met
 * damage is applied in its place, unless it meets damage as well.
 */
export function applyAroundDamage<Operation>(
  operations: readonly Operation[],
  apply: (operations: Operation[]) => Outcome<unknown>[],
  insteadOf: (operation: Operation) => Operation | undefined,
): Outcome<unknown>[] {
  const failures = new Map<number, Outcome<unknown>>();
  let left = operations.map((operation, place) => ({ operation, place }));
  for (;;) {
    try {
      const results = apply(left.map(({ operation }) => operation));
      const written = new Map(left.map(({ place }, index) => [place, results[index]]));
      return operations.map((_, place) => failures.get(place) ?? (written.get(place) as never));
    } catch (error) {
      if (!(error instanceof MetDamage)) throw error;
      left = withoutDamaged(left, error, failures, insteadOf);
    }
  }
}

interface Placed<Operation> {
  operation: Operation;
  /** In the input list. */
  place: number;
}

function withoutDamaged<Operation>(
  left: readonly Placed<Operation>[],
  { index, cause }: MetDamage,
  failures: Map<number, Outcome<unknown>>,
  insteadOf: (operation: Operation) => Operation | undefined,
): Placed<Operation>[] {
  const { operation, place } = left[index] as Placed<Operation>;
  const others = left.filter((_, at) => at !== index);
  // What was to stand in for it met damage as well.
  if (failures.has(place)) return others;
  failures.set(place, { failure: failureOf(cause) });
  const instead = insteadOf(operation);
  return instead === undefined ? others : [...others, { operation: instead, place }];
}
