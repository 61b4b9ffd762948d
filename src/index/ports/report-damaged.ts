/** Tells of documents that a source leaves out because what is stored of them is damaged. */
import type { Damage } from '../../database/damage/damage-register.ts';
import { DOCUMENTS } from '../../database/damage/parts.ts';
import type { DocumentNumber } from '../../types.ts';

/** Receives damage in spite of which a method of a view has a result. */
export type OnDamage = (damage: Damage) => void;

/** Tells of damage where nobody keeps a register, as in a command. */
export function warnOfDamage({ reason }: Damage): void {
  process.emitWarning(reason);
}

/** Returns the damage of one document; absent where nobody can tell which. */
export function damagedDocument(document?: DocumentNumber): Damage {
  const reason =
    'documents: what is stored of a document is not what was written; it is left out of answers';
  return { ...DOCUMENTS, reason, ...(document === undefined ? {} : { document }) };
}

/** Returns values as they are, and reports the documents that have none. */
export function reportingDamaged<Value>(
  documents: readonly DocumentNumber[],
  values: Value[],
  onDamage: OnDamage,
): Value[] {
  for (const [at, value] of values.entries()) {
    if (value === undefined) onDamage(damagedDocument(documents[at]));
  }
  return values;
}
