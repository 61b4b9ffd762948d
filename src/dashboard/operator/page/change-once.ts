/** Forms that change something: each copy acts once, and the trail says whose it was. */
import { randomUUID } from 'node:crypto';
import type { OperatorStore } from '../../../accounts/ports/operator-store.ts';
import { VerbatimError } from '../../../errors.ts';
import { FORM_COPY_FIELD } from '../../page/forms.ts';
import type { OperatorCall } from './operator-call.ts';
import type { OperatorDeps } from './operator-deps.ts';

/** All operators are one owner of what waits in memory: any of them may see it. */
export const OPERATORS = 0;

const COPY_FORM = /^[0-9a-f-]{36}$/;

/** Returns the name of a new copy of a form. */
export function newCopy(): string {
  return randomUUID();
}

/** Returns the name of the copy that was submitted. Throws `bad_request` for a form without one. */
export function copyOf({ form }: OperatorCall): string {
  const copy = form.get(FORM_COPY_FIELD) ?? '';
  if (COPY_FORM.test(copy)) return copy;
  throw new VerbatimError('bad_request', 'this form is incomplete; load the page again');
}

/** Returns the store that makes one change, of the form of this call. */
export function storeOf(deps: OperatorDeps, call: OperatorCall): OperatorStore {
  return deps.asOperator({ actor: call.actor, submission: copyOf(call) });
}

/** Returns the store for reads. */
export function readsOf({ asOperator }: OperatorDeps, { actor }: OperatorCall): OperatorStore {
  return asOperator({ actor });
}

/** Makes a change. Resolves to whether this submission made it, and not an earlier one of its copy. */
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

/** Returns an error that an operator may read. Throws anything else, which is a defect or a fault. */
export function toldOperator(error: unknown): VerbatimError {
  if (error instanceof VerbatimError && error.code !== 'degraded') {
    return error.isForCustomers ? error : new VerbatimError('invalid_field', error.message);
  }
  throw error;
}
