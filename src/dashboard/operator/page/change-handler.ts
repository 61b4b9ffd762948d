/** Handlers of forms that change something after a confirmation. */
import { VerbatimError } from '../../../errors.ts';
import { typed } from '../../page/forms.ts';
import { type Handler, type View, withError } from '../../page/page.ts';
import { operatorErrorOf } from './change-once.ts';
import type { OperatorCall } from './operator-call.ts';
import type { OperatorDeps } from './operator-deps.ts';

export const REASON_CHARACTERS_MAX = 200;

/** Shows the page of a form, with what is wrong with it. */
export type ConfirmPage = (deps: OperatorDeps, call: OperatorCall, error?: string) => Promise<View>;

/** Returns the handler that makes a change, or shows the page again with why it was refused. */
export function changeHandler(
  page: ConfirmPage,
  work: Handler<OperatorDeps, OperatorCall>,
): Handler<OperatorDeps, OperatorCall> {
  return async (deps, call) => {
    try {
      return await work(deps, call);
    } catch (error) {
      const operatorError = operatorErrorOf(error);
      return withError(await page(deps, call, operatorError.message), operatorError);
    }
  };
}

/** Returns the reason of a form. Throws `invalid_field` without one. */
export function reasonOf(call: OperatorCall): string {
  const reason = typed(call, 'reason').slice(0, REASON_CHARACTERS_MAX);
  if (reason === '') throw new VerbatimError('invalid_field', 'give a reason');
  return reason;
}
