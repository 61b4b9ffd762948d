/** Forms that change something: each idempotency key acts once, and the trail says whose it was. */
import { randomUUID } from 'node:crypto';
import type { OperatorStore } from '../../../accounts/ports/operator-store.ts';
import { VerbatimError } from '../../../errors.ts';
import { IDEMPOTENCY_KEY_FIELD, typed } from '../../page/forms.ts';
import type { OperatorCall } from './operator-call.ts';
import type { OperatorDeps } from './operator-deps.ts';

/** All operators are one owner of what waits in memory: any of them may see it. */
export const OPERATORS = 0;

const IDEMPOTENCY_KEY_FORM = /^[0-9a-f-]{36}$/;

/** Returns the idempotency key of a new form. */
export function newIdempotencyKey(): string {
  return randomUUID();
}

/** Returns the idempotency key that was submitted. Throws `bad_request` for a form without one. */
export function idempotencyKeyOf({ form }: OperatorCall): string {
  const idempotencyKey = form.get(IDEMPOTENCY_KEY_FIELD) ?? '';
  if (IDEMPOTENCY_KEY_FORM.test(idempotencyKey)) return idempotencyKey;
  throw new VerbatimError('bad_request', 'this form is incomplete; load the page again');
}

/** Returns the store that makes one change, of the form of this call. */
export function storeOf(deps: OperatorDeps, call: OperatorCall): OperatorStore {
  return deps.asOperator({ actor: call.actor, submission: idempotencyKeyOf(call) });
}

/** Returns the store for reads. */
export function readsOf({ asOperator }: OperatorDeps, { actor }: OperatorCall): OperatorStore {
  return asOperator({ actor });
}

/** Makes a change. Resolves to whether this submission made it, not an earlier one with its key. */
export async function changeOnce(
  deps: OperatorDeps,
  call: OperatorCall,
  change: (store: OperatorStore) => Promise<unknown>,
): Promise<boolean> {
  try {
    await change(storeOf(deps, call));
    return true;
  } catch (error) {
    if (error instanceof VerbatimError && error.code === 'already_submitted') return false;
    throw error;
  }
}

/** The longest note or reason. */
export const NOTE_CHARACTERS_MAX = 200;

/** Returns a note that was typed; undefined if it is empty. */
export function noteOf(call: OperatorCall, name: string): string | undefined {
  return typed(call, name).slice(0, NOTE_CHARACTERS_MAX) || undefined;
}

/** Returns an error that an operator may read. Throws anything else, which is a defect or a fault. */
export function operatorErrorOf(error: unknown): VerbatimError {
  if (error instanceof VerbatimError && error.code !== 'degraded') {
    return error.isForCustomers ? error : new VerbatimError('invalid_field', error.message);
  }
  throw error;
}
