/** Pages that ask before they change something that hurts, and for the reason. */
import type { ComponentChildren } from 'preact';
import type { OperatorStore } from '../../../accounts/ports/operator-store.ts';
import { PlainLink } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { Message } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { type Handler, type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { changeOnce, NOTE_CHARACTERS_MAX, noteOf, operatorErrorOf } from '../page/change-once.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';
import { ChangeForm } from './change-form.tsx';

export interface Question {
  title: string;
  /** What happens. */
  lead: ComponentChildren;
  button: string;
  customerId: number;
  /** Names what the customer's page says afterwards. */
  done: string;
  change: (store: OperatorStore, reason: string | undefined) => Promise<unknown>;
}

/** Finds what is asked about. Throws `not_found`. */
export type Ask = (deps: OperatorDeps, call: OperatorCall) => Promise<Question>;

/** Returns the handlers of the page and its form. */
export function confirmation(
  ask: Ask,
): Record<'get' | 'post', Handler<OperatorDeps, OperatorCall>> {
  return {
    get: async (deps, call) => view(call, await ask(deps, call)),
    async post(deps, call) {
      const question = await ask(deps, call);
      const { customerId, done, change } = question;
      try {
        const reason = noteOf(call, 'reason');
        const isFirst = await changeOnce(deps, call, (store) => change(store, reason));
        return redirectTo(`/operator/customers/${customerId}?done=${isFirst ? done : 'repeated'}`);
      } catch (error) {
        const operatorError = operatorErrorOf(error);
        return withError(view(call, question, operatorError.message), operatorError);
      }
    },
  };
}

function view({ request, form, formToken }: OperatorCall, question: Question, why?: string): View {
  const { title, lead, button, customerId } = question;
  return {
    title,
    isNarrow: true,
    main: (
      <>
        <PageHead title={title}>{lead}</PageHead>
        <Message tone="bad" text={why} />
        <div class="card">
          <ChangeForm
            action={`${request.path}${request.query === '' ? '' : `?${request.query}`}`}
            token={formToken()}
            button={button}
            tone="danger"
          >
            <Field
              label="Reason (optional)"
              name="reason"
              value={form.get('reason') ?? undefined}
              hint="The trail keeps it. If credit moves, the customer sees it too."
              input={{ maxLength: NOTE_CHARACTERS_MAX, autoComplete: 'off' }}
            />
          </ChangeForm>
        </div>
        <div>
          <PlainLink href={`/operator/customers/${customerId}`}>Change nothing</PlainLink>
        </div>
      </>
    ),
  };
}
