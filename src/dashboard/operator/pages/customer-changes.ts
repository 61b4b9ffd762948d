/** POST /operator/customers/:id/…: the forms on the page of a customer. */

import { CREDITS_RANGE, parseCredits } from '../../../accounts/amounts/credits.ts';
import { linkExpiry } from '../../../accounts/links.ts';
import type { OperatorStore } from '../../../accounts/ports/operator-store.ts';
import type { ShownCustomer } from '../../../accounts/sql/operator-reads.ts';
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { sentence } from '../../components/error-view.tsx';
import { type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { changeOnce, noteOf, operatorErrorOf } from '../page/change-once.ts';
import { createLinkOnce } from '../page/create-link-once.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';
import { customerView, type EntryError, findShown } from './customer.tsx';

type Answer = Promise<View | HttpResponse>;

export async function creditForm(deps: OperatorDeps, call: OperatorCall): Answer {
  const credits = parseCredits((call.form.get('credits') ?? '').trim());
  const note = noteOf(call, 'note');
  return await change(deps, call, {
    done: 'credit',
    field: 'credits',
    make(store, { email }) {
      if (credits === undefined) {
        throw new VerbatimError('invalid_field', `enter ${CREDITS_RANGE}`);
      }
      return store.topUp({ email, credits, note, now: deps.now() });
    },
  });
}

export async function refundForm(deps: OperatorDeps, call: OperatorCall): Answer {
  const requestId = (call.form.get('request') ?? '').trim();
  const note = noteOf(call, 'reason');
  return await change(deps, call, {
    done: 'refund',
    field: 'request',
    make: (store, { id: customerId }) =>
      store.refundSearch({ requestId, customerId, note, now: deps.now() }),
  });
}

export async function noteForm(deps: OperatorDeps, call: OperatorCall): Answer {
  const note = noteOf(call, 'about') ?? '';
  return await change(deps, call, {
    done: 'note',
    field: 'form',
    make: (store, { email }) => store.setCustomerNote({ email, note }),
  });
}

export async function enableForm(deps: OperatorDeps, call: OperatorCall): Answer {
  return await change(deps, call, {
    done: 'enabled',
    field: 'form',
    make: (store, { email }) => store.enableCustomer({ email }),
  });
}

export async function linkForm(deps: OperatorDeps, call: OperatorCall): Answer {
  const { id, members } = await findShown(deps, call);
  const chosen = call.form.get('member') ?? '';
  try {
    const member = members.find(({ email }) => email === chosen);
    if (member === undefined) throw new VerbatimError('invalid_field', 'choose one of the members');
    const { email } = member;
    const path = await createLinkOnce(deps, call, (store) =>
      store.createLink({ email, expiresAt: linkExpiry(deps.settings, deps.now()) }),
    );
    return redirectTo(path ?? `/operator/customers/${id}?done=repeated`);
  } catch (error) {
    return await viewWithError(deps, call, { field: 'form', error });
  }
}

interface Change {
  /** Names what the page says when it is made. */
  done: string;
  /** The field beside which the page says what is wrong. */
  field: EntryError['field'];
  make: (store: OperatorStore, customer: ShownCustomer) => Promise<unknown>;
}

async function change(
  deps: OperatorDeps,
  call: OperatorCall,
  { done, field, make }: Change,
): Answer {
  const customer = await findShown(deps, call);
  try {
    const isFirst = await changeOnce(deps, call, async (store) => make(store, customer));
    return redirectTo(`/operator/customers/${customer.id}?done=${isFirst ? done : 'repeated'}`);
  } catch (error) {
    return await viewWithError(deps, call, { field, error });
  }
}

async function viewWithError(
  deps: OperatorDeps,
  call: OperatorCall,
  { field, error }: { field: EntryError['field']; error: unknown },
): Promise<View> {
  const operatorError = operatorErrorOf(error);
  const fields = Object.fromEntries(call.form);
  const view = await customerView(deps, call, {
    field,
    message: sentence(operatorError.message),
    fields,
  });
  return withError(view, operatorError);
}
