/** GET and POST /operator/customers: finds and adds customers. */

import { parseCredits } from '../../../accounts/amounts/credits.ts';
import { linkExpiry } from '../../../accounts/links.ts';
import type { FoundCustomers, ListedCustomer } from '../../../accounts/sql/customer-search.ts';
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmailAddress } from '../../components/email-address.tsx';
import { Empty } from '../../components/empty.tsx';
import { sentence } from '../../components/error-view.tsx';
import { Field, optionsOf, Select } from '../../components/field.tsx';
import { FilterError, FilterForm } from '../../components/filter-form.tsx';
import { formatCount, formatCounted } from '../../components/format-values.ts';
import { PageHead } from '../../components/page-head.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { describeErrors, linkTo } from '../../page/filter-fields.ts';
import { CREDITS_ADVICE } from '../../page/forms.ts';
import { type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { ChangeForm } from '../components/change-form.tsx';
import { operatorErrorOf, readsOf } from '../page/change-once.ts';
import { createLinkOnce } from '../page/create-link-once.ts';
import {
  orderLabels,
  type ReadCustomerFilter,
  readCustomerFilter,
  stateLabels,
} from '../page/customer-filter.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';

const PATH = '/operator/customers';
const PAGE_ROWS = 50;

/** What was entered into the form that adds a customer, and what is wrong with it. */
interface Entered {
  email?: string;
  credits?: string;
  errors?: { email?: string; credits?: string };
}

export async function customersPage(deps: OperatorDeps, call: OperatorCall): Promise<View> {
  return await customersView(deps, call, {});
}

export async function addCustomerForm(
  deps: OperatorDeps,
  call: OperatorCall,
): Promise<View | HttpResponse> {
  const email = (call.form.get('email') ?? '').trim();
  const credits = (call.form.get('credits') ?? '').trim();
  const count = credits === '' ? undefined : parseCredits(credits);
  if (credits !== '' && count === undefined) {
    const errors = { credits: CREDITS_ADVICE };
    const view = await customersView(deps, call, { email, credits, errors });
    return withError(view, new VerbatimError('invalid_field'));
  }
  try {
    const path = await createLinkOnce(deps, call, (store) => {
      const now = deps.now();
      const linkExpiresAt = linkExpiry(deps.settings, now);
      return store.addCustomer({ email, credits: count, linkExpiresAt, now });
    });
    return redirectTo(path ?? `${PATH}?${new URLSearchParams({ text: email })}`);
  } catch (error) {
    const operatorError = operatorErrorOf(error);
    const errors = { email: sentence(operatorError.message) };
    return withError(await customersView(deps, call, { email, credits, errors }), operatorError);
  }
}

async function customersView(
  deps: OperatorDeps,
  call: OperatorCall,
  entered: Entered,
): Promise<View> {
  const read = readCustomerFilter(call.query);
  const error = describeErrors(read.errors);
  const { order = 'newest', page = 1, ...filter } = read.filter;
  const found =
    error === undefined
      ? await readsOf(deps, call).searchCustomers({
          ...filter,
          order,
          offset: (page - 1) * PAGE_ROWS,
          limit: PAGE_ROWS,
          now: deps.now(),
        })
      : undefined;
  const view: View = {
    title: 'Customers',
    main: (
      <>
        <PageHead title="Customers">
          Open a customer to add credit, refund a search, set rates, or make a sign-in link.
        </PageHead>
        {error === undefined ? null : <FilterError what="customers" hidden={[read.errors.page]} />}
        <CustomerFilterForm read={read} />
        {found === undefined ? null : <Found found={found} page={page} fields={read.fields} />}
        <AddForm token={call.formToken()} entered={entered} />
      </>
    ),
  };
  return error === undefined ? view : withError(view, new VerbatimError('bad_request', error));
}

function CustomerFilterForm({ read: { fields, errors } }: { read: ReadCustomerFilter }) {
  return (
    <FilterForm action={PATH}>
      <Field
        label="Address or name"
        name="text"
        type="search"
        value={fields.text}
        error={errors.text}
        input={{ autoComplete: 'off' }}
      />
      <Select
        label="State"
        name="state"
        value={fields.state}
        error={errors.state}
        options={[{ value: '', label: 'All' }, ...optionsOf(stateLabels)]}
      />
      <Select
        label="Order"
        name="order"
        value={fields.order}
        error={errors.order}
        options={optionsOf(orderLabels)}
      />
    </FilterForm>
  );
}

interface FoundProps {
  found: FoundCustomers;
  page: number;
  fields: ReadCustomerFilter['fields'];
}

function Found({ found: { customers, total }, page, fields }: FoundProps) {
  if (total === 0) {
    const { page: _page, order: _order, ...filter } = fields;
    const isFiltered = Object.keys(filter).length > 0;
    return (
      <Empty title={isFiltered ? 'No customer matches this filter' : 'No customers yet'}>
        <p>{isFiltered ? 'Try part of an address.' : 'Add the first one below.'}</p>
      </Empty>
    );
  }
  const pages = Math.ceil(total / PAGE_ROWS);
  return (
    <>
      <section class="card" aria-label="Customers">
        <CustomerTable customers={customers} caption={captionOf(total, page, pages)} />
      </section>
      {pages === 1 ? null : <Pager page={page} pages={pages} fields={fields} />}
    </>
  );
}

function captionOf(total: number, page: number, pages: number): string {
  const count = formatCounted(total, 'customer');
  return pages === 1 ? count : `${count}, page ${formatCount(page)} of ${formatCount(pages)}`;
}

function CustomerTable({
  customers,
  caption,
}: {
  customers: readonly ListedCustomer[];
  caption: string;
}) {
  return (
    <DataTable
      caption={caption}
      columns={[
        { head: 'Customer' },
        { head: 'State' },
        { head: 'Balance', isNumber: true },
        { head: 'Keys', isNumber: true },
        { head: 'Last used' },
        { head: 'Added' },
      ]}
      rows={customers.map((customer) => [
        <a key="email" href={`${PATH}/${customer.id}`}>
          <EmailAddress address={customer.email} />
          {customer.name === '' ? null : <bdi class="small soft"> {customer.name}</bdi>}
        </a>,
        <State key="state" customer={customer} />,
        formatCount(customer.balance),
        formatCount(customer.keys),
        customer.lastUsedAt === null ? (
          'never'
        ) : (
          <Timestamp key="used" time={customer.lastUsedAt} isDay />
        ),
        <Timestamp key="added" time={customer.createdAt} isDay />,
      ])}
    />
  );
}

function State({
  customer: { disabledAt, unconfirmedSince, balance },
}: {
  customer: ListedCustomer;
}) {
  if (disabledAt !== null) return <span class="badge bad">disabled</span>;
  if (unconfirmedSince !== null) return <span class="badge warn">unconfirmed</span>;
  if (balance < 0) return <span class="badge warn">in debt</span>;
  return <span class="badge good">enabled</span>;
}

interface PagerProps {
  page: number;
  pages: number;
  fields: ReadCustomerFilter['fields'];
}

function Pager({ page, pages, fields }: PagerProps) {
  const at = (number: number): string => linkTo(PATH, { ...fields, page: String(number) });
  return (
    <nav class="pager" aria-label="Pages">
      {page <= 1 ? (
        <span />
      ) : (
        <a class="button plain" href={at(Math.min(page - 1, pages))}>
          Back
        </a>
      )}
      {page >= pages ? null : (
        <a class="button plain" href={at(page + 1)}>
          Next
        </a>
      )}
    </nav>
  );
}

function AddForm({ token, entered }: { token: string; entered: Entered }) {
  return (
    <section class="card" aria-labelledby="add-customer">
      <h2 id="add-customer">Add a customer</h2>
      <ChangeForm action={PATH} token={token} button="Add customer">
        <Field
          label="E-mail address"
          name="email"
          type="email"
          value={entered.email}
          hint="The customer chooses a password with a one-time link, which is mailed or shown to you."
          error={entered.errors?.email}
          input={{ required: true, autoComplete: 'off' }}
        />
        <Field
          label="Credits to start with (optional)"
          name="credits"
          value={entered.credits}
          error={entered.errors?.credits}
          input={{ inputMode: 'numeric', autoComplete: 'off' }}
        />
      </ChangeForm>
    </section>
  );
}
