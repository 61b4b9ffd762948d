/** GET and POST /operator/customers/:id/refunds: counts requests of a range of times, then refunds them. */
import { MOMENT_FORM, parseMoment } from '../../../accounts/moment.ts';
import type { CallKind } from '../../../accounts/sql/credit-entries.ts';
import type { ShownCustomer } from '../../../accounts/sql/operator-reads.ts';
import type { RefundableRequests, RequestFilter } from '../../../accounts/sql/refund-requests.ts';
import { VerbatimError } from '../../../errors.ts';
import { PlainLink } from '../../components/button.tsx';
import { Field, optionsOf, Select } from '../../components/field.tsx';
import { FilterError, FilterForm, KeySelect } from '../../components/filter-form.tsx';
import { formatCount, formatCounted } from '../../components/format-values.ts';
import { Message, Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import {
  describeErrors,
  type FilterFields,
  type ReadField,
  readFilterFields,
  wordReader,
} from '../../page/filter-fields.ts';
import { type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { ConfirmForm } from '../components/confirmation.tsx';
import { changeHandler, reasonOf } from '../page/change-handler.ts';
import { changeOnce, readsOf } from '../page/change-once.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';
import { findShown } from './customer.tsx';

type FieldName = 'from' | 'to' | 'key' | 'call';
type ReadFilter = FilterFields<FieldName, Partial<RequestFilter>>;

const callLabels: Readonly<Record<CallKind, string>> = {
  search: 'Searches',
  paper: 'Paper look-ups',
  similar: 'Similar papers',
  verify: 'Verifications',
};

const HOUR_MS = 3_600_000;
const MINUTE_CHARACTERS = 16;

/** Reads the filter of an address or a form. Without times, it is of the last hour. */
function readFilter(query: URLSearchParams, customer: ShownCustomer, now: number): ReadFilter {
  const minuteOf = (time: number): string =>
    new Date(time).toISOString().slice(0, MINUTE_CHARACTERS);
  const filled = new URLSearchParams(query);
  if (!filled.get('from')) filled.set('from', minuteOf(now - HOUR_MS));
  if (!filled.get('to')) filled.set('to', minuteOf(now));
  const moment = (name: 'from' | 'until', text: string): ReadField<Partial<RequestFilter>> => {
    const time = parseMoment(text, name === 'from' ? 'first' : 'last');
    return time === undefined
      ? { error: `“${text}” is no time. Enter ${MOMENT_FORM}.` }
      : { filter: { [name]: time } };
  };
  return readFilterFields<FieldName, Partial<RequestFilter>>(filled, {
    from: (text) => moment('from', text),
    to: (text) => moment('until', text),
    key: (text) =>
      customer.keys.some(({ prefix }) => prefix === text)
        ? { filter: { keyPrefix: text } }
        : { error: 'The customer has no key with this hash prefix.' },
    call: wordReader(callLabels, (call) => ({ call })),
  });
}

interface Found {
  read: ReadFilter;
  /** Undefined for an invalid filter. */
  filter: RequestFilter | undefined;
  refundable: RefundableRequests | undefined;
}

async function find(
  deps: OperatorDeps,
  call: OperatorCall,
  customer: ShownCustomer,
): Promise<Found> {
  const fields = call.request.method === 'POST' ? call.form : call.query;
  const read = readFilter(fields, customer, deps.now());
  const { from, until, ...rest } = read.filter;
  if (from === undefined || until === undefined || describeErrors(read.errors) !== undefined) {
    return { read, filter: undefined, refundable: undefined };
  }
  const filter = { from, until, ...rest };
  const { email } = customer;
  const search = { ...filter, email, limit: deps.settings.refundsAtOnceMax };
  return { read, filter, refundable: await readsOf(deps, call).findRefundable(search) };
}

export async function refundsPage(
  deps: OperatorDeps,
  call: OperatorCall,
  error?: string,
): Promise<View> {
  const customer = await findShown(deps, call);
  const { read, refundable } = await find(deps, call, customer);
  const { fields, errors } = read;
  const path = `/operator/customers/${customer.id}`;
  const view: View = {
    title: 'Refund requests',
    main: (
      <>
        <PageHead title="Refund requests">
          Of {customer.email}: those that were charged and not refunded yet. A request is never
          refunded twice.
        </PageHead>
        {call.query.get('done') === 'refunded' ? (
          <Notice tone="good">
            <p>The requests were refunded.</p>
          </Notice>
        ) : null}
        <Message tone="bad" text={error} />
        {refundable === undefined ? <FilterError what="requests" hidden={[]} /> : null}
        <FilterForm action={`${path}/refunds`}>
          <Field label="From (UTC)" name="from" value={fields.from} error={errors.from} />
          <Field label="To (UTC)" name="to" value={fields.to} error={errors.to} />
          <KeySelect fields={fields} errors={errors} keys={customer.keys} />
          <Select
            label="Kind"
            name="call"
            value={fields.call}
            error={errors.call}
            options={[{ value: '', label: 'All kinds' }, ...optionsOf(callLabels)]}
          />
        </FilterForm>
        {refundable === undefined ? null : (
          <section class="card" aria-labelledby="found">
            <h2 id="found">
              {formatCounted(refundable.requests, 'request')},{' '}
              {formatCounted(refundable.credits, 'credit')}
            </h2>
            <Offer path={path} call={call} fields={fields} refundable={refundable} />
          </section>
        )}
        <div>
          <PlainLink href={path}>Back to the customer</PlainLink>
        </div>
      </>
    ),
  };
  return refundable === undefined ? withError(view, new VerbatimError('bad_request')) : view;
}

interface OfferProps {
  path: string;
  call: OperatorCall;
  fields: ReadFilter['fields'];
  refundable: RefundableRequests;
}

function Offer({ path, call, fields, refundable: { requests, requestIds } }: OfferProps) {
  if (requests === 0) return <p class="soft">Nothing to refund here.</p>;
  const some = requestIds.length;
  return (
    <>
      {some === requests ? null : (
        <p class="soft">
          The oldest {formatCount(some)} are refunded at once. Then this page offers the rest.
        </p>
      )}
      <ConfirmForm
        action={`${path}/refunds`}
        token={call.formToken()}
        button={`Refund ${formatCounted(some, 'request')}`}
        reasonHint="The customer sees it next to each refund."
        reason={call.form.get('reason') ?? undefined}
      >
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      </ConfirmForm>
    </>
  );
}

export const refundsForm = changeHandler(refundsPage, async (deps, call) => {
  const customer = await findShown(deps, call);
  const { read, filter, refundable } = await find(deps, call, customer);
  if (filter === undefined || refundable === undefined) return await refundsPage(deps, call);
  const { email, id } = customer;
  const { requestIds } = refundable;
  const input = { email, requestIds, filter, note: reasonOf(call), now: deps.now() };
  await changeOnce(deps, call, (store) => store.refundRequests(input));
  const query = new URLSearchParams({ ...read.fields, done: 'refunded' });
  return redirectTo(`/operator/customers/${id}/refunds?${query}`);
});
