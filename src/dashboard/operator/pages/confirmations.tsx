/**
 * What is asked before it is done: …/customers/:id/disable, …/customers/:id/credit/:entry (takes it back),
 * …/customers/:id/refunds (of the requests of a filter), and …/keys/:prefix/revoke.
 */
import { VerbatimError } from '../../../errors.ts';
import { formatCounted } from '../../components/format-values.ts';
import { Timestamp } from '../../components/timestamp.tsx';
import { requestsIn } from '../../page/find-requests.ts';
import type { Ask } from '../components/confirmation.tsx';
import { readsOf } from '../page/change-once.ts';
import { findShown, GIVEN_SHOWN } from './customer.tsx';
import { findKey } from './key-rates.tsx';

export const askToDisable: Ask = async (deps, call) => {
  const { id: customerId, email } = await findShown(deps, call);
  return {
    title: `Disable ${email}?`,
    lead: 'Requests with its keys are refused (401) from now on, and its sessions and links end. Credit and keys stay, and you can enable the customer again.',
    button: 'Disable',
    customerId,
    done: 'disabled',
    change: (store, reason) => store.disableCustomer({ email, reason, now: deps.now() }),
  };
};

export const askToRevoke: Ask = async (deps, call) => {
  const { prefix, name, customer, customerId } = await findKey(deps, call);
  return {
    title: `Revoke “${name}”?`,
    lead: (
      <>
        Requests with <code>{prefix}</code> of {customer} are refused (401) from now on. You cannot
        undo this; the customer can create another key.
      </>
    ),
    button: 'Revoke key',
    customerId,
    done: 'revoked',
    change: (store, reason) => store.revokeKey({ prefix, at: deps.now(), reason }),
  };
};

export const askToTakeBack: Ask = async (deps, call) => {
  const { id: customerId, email, balance } = await findShown(deps, call);
  const gifts = await readsOf(deps, call).listGivenCredit({ customerId, limit: GIVEN_SHOWN });
  const gift = gifts.find(({ id }) => String(id) === call.parameters['entry']);
  if (gift === undefined) throw new VerbatimError('not_found');
  const { id: entryId, credits, createdAt } = gift;
  return {
    title: `Take back ${formatCounted(credits, 'credit')}?`,
    lead: (
      <>
        {email} was given them on <Timestamp time={createdAt} />. The balance is {balance} and
        becomes {balance - credits}; below zero, the customer owes what was spent.
      </>
    ),
    button: 'Take back',
    customerId,
    done: 'taken',
    change: (store, note) => store.takeBackCredit({ customerId, entryId, note, now: deps.now() }),
  };
};

export const askToRefund: Ask = async (deps, call) => {
  const { id: customerId, email } = await findShown(deps, call);
  await deps.flushRequests();
  const { filter: chosen, fields } = await requestsIn(deps.accounts, customerId, call.query);
  const requestsMax = deps.settings.refundsAtOnceMax;
  const found = await readsOf(deps, call).findRefundable({ ...chosen, requestsMax });
  const requestIds = found.map(({ requestId }) => requestId);
  const credits = found.reduce((sum, request) => sum + request.credits, 0);
  const filter = new URLSearchParams(fields).toString();
  return {
    title: `Refund ${formatCounted(found.length, 'request')}?`,
    lead: `${email} gets ${formatCounted(credits, 'credit')} back. ${
      found.length < requestsMax
        ? 'These are all requests of the filter that were charged and not refunded.'
        : 'These are the oldest; then ask for the next ones.'
    }`,
    button: 'Refund',
    customerId,
    done: 'refunds',
    change: (store, note) =>
      store.refundRequests({ customerId, requestIds, filter, note, now: deps.now() }),
  };
};
