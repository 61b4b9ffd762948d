/** GET /operator/customers/:id: everything about a customer, and the forms that change it. */

import { isRevoked } from '../../../accounts/sql/api-keys.ts';
import { isDeleted } from '../../../accounts/sql/customers.ts';
import type { GivenCredit } from '../../../accounts/sql/given-credit.ts';
import type { ShownCustomer } from '../../../accounts/sql/operator-reads.ts';
import type { OperatorAction } from '../../../accounts/sql/operator-trail.ts';
import type { OwnKey } from '../../../accounts/sql/own-keys.ts';
import type { ListedRequest } from '../../../accounts/sql/request-pages.ts';
import { VerbatimError } from '../../../errors.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Field, Select } from '../../components/field.tsx';
import { formatCount, formatCounted } from '../../components/format-values.ts';
import { KeyTable } from '../../components/key-table.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { RequestTable } from '../../components/request-table.tsx';
import { Tile } from '../../components/tile.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { View } from '../../page/page.ts';
import { ActionTable } from '../components/action-table.tsx';
import { ChangeForm } from '../components/change-form.tsx';
import { NOTE_CHARACTERS_MAX, readsOf } from '../page/change-once.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';

const REQUESTS_SHOWN = 10;
const ACTIONS_SHOWN = 20;
/** The newest. What is older cannot be taken back here. */
export const GIVEN_SHOWN = 20;

const notes: Readonly<Record<string, string>> = {
  credit: 'The credit was added.',
  refund: 'The search was refunded.',
  refunds: 'The requests were refunded.',
  disabled: 'The customer is disabled: API keys are refused, and all sessions have ended.',
  revoked: 'The key was revoked.',
  taken: 'The credit was taken back.',
  note: 'The note was saved.',
  enabled: 'The customer is enabled.',
  rates: 'The rates of the key were saved.',
  repeated: 'This form was submitted before, and acted once.',
};

/** What was entered into one of the forms, and what is wrong with it. */
export interface EntryError {
  field: 'credits' | 'request' | 'form';
  message: string;
  fields: Readonly<Record<string, string>>;
}

interface Shown {
  customer: ShownCustomer;
  requests: readonly ListedRequest[];
  actions: readonly OperatorAction[];
  given: readonly GivenCredit[];
}

export async function customerPage(deps: OperatorDeps, call: OperatorCall): Promise<View> {
  return await customerView(deps, call);
}

/** Finds the customer of the address. Throws `not_found`. */
export async function findShown(deps: OperatorDeps, call: OperatorCall): Promise<ShownCustomer> {
  const id = call.parameters['id'] ?? '';
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new VerbatimError('not_found');
  const { sessionLimits: limits } = deps.accounts;
  try {
    const input = { customerId: Number(id), limits, now: deps.now() };
    return await readsOf(deps, call).showCustomer(input);
  } catch (error) {
    const isUnknown = error instanceof VerbatimError && error.code === 'unknown_customer';
    throw isUnknown ? new VerbatimError('not_found') : error;
  }
}

/** Returns the page, with what was wrong with a form of it. */
export async function customerView(
  deps: OperatorDeps,
  call: OperatorCall,
  error?: EntryError,
): Promise<View> {
  const customer = await findShown(deps, call);
  const { id: customerId, email } = customer;
  const { rows: requests } = await deps.accounts.store.readRequestPage({
    customerId,
    requestsMax: REQUESTS_SHOWN,
  });
  const reads = readsOf(deps, call);
  const actions = await reads.listActions({ email, limit: ACTIONS_SHOWN });
  const given = await reads.listGivenCredit({ customerId, limit: GIVEN_SHOWN });
  const note = notes[call.query.get('done') ?? ''];
  return {
    title: email,
    main: (
      <>
        <PageHead title={email}>
          <Summary customer={customer} />
        </PageHead>
        {note === undefined ? null : (
          <Notice tone="good">
            <p>{note}</p>
          </Notice>
        )}
        {error?.field === 'form' ? (
          <Notice tone="bad">
            <p>{error.message}</p>
          </Notice>
        ) : null}
        {customer.disabledAt === null ? null : (
          <Notice tone="warn">
            <p>
              {isDeleted(customer) ? 'Deleted by an owner on ' : 'Disabled since '}
              <Timestamp time={customer.disabledAt} />: API keys are refused (401), and nobody can
              sign in.
            </p>
          </Notice>
        )}
        <Figures customer={customer} />
        <Changes customer={customer} token={call.formToken()} error={error} />
        <Details deps={deps} shown={{ customer, requests, actions, given }} />
      </>
    ),
  };
}

function Summary({ customer: { name, createdAt, sessions } }: { customer: ShownCustomer }) {
  return (
    <>
      {name === '' ? null : <bdi>{name}. </bdi>}
      Added <Timestamp time={createdAt} isDay />, {formatCounted(sessions, 'session')} signed in.
    </>
  );
}

function Figures({ customer: { balance, keys } }: { customer: ShownCustomer }) {
  const sum = (pick: (key: OwnKey) => number): number =>
    keys.reduce((total, key) => total + pick(key), 0);
  const lastUsedAt = Math.max(0, ...keys.map((key) => key.lastUsedAt ?? 0));
  const month = sum((key) => key.thisMonth.requests);
  const toDate = sum((key) => key.toDate.requests);
  return (
    <dl class="tiles">
      <Tile
        label={balance < 0 ? 'Debt' : 'Balance'}
        value={formatCount(Math.abs(balance))}
        note={balance < 0 ? 'credits owed' : 'credits left'}
        isFirst
      />
      <Tile
        label="This month (UTC)"
        value={formatCount(month)}
        note={`${month === 1 ? 'search' : 'searches'}, ${formatCounted(
          sum((key) => key.thisMonth.credits),
          'credit',
        )}`}
      />
      <Tile
        label="To date"
        value={formatCount(toDate)}
        note={`${toDate === 1 ? 'search' : 'searches'}, ${formatCounted(
          sum((key) => key.toDate.credits),
          'credit',
        )}`}
      />
      <div class="tile">
        <dt>Last used</dt>
        <dd class="figure">{lastUsedAt === 0 ? 'never' : <Timestamp time={lastUsedAt} isDay />}</dd>
      </div>
    </dl>
  );
}

interface ChangesProps {
  customer: ShownCustomer;
  token: string;
  error: EntryError | undefined;
}

function Changes({ customer, token, error }: ChangesProps) {
  const path = `/operator/customers/${customer.id}`;
  const entered = (name: string): string | undefined => error?.fields[name];
  const errorOf = (field: EntryError['field']) =>
    error?.field === field ? error.message : undefined;
  if (isDeleted(customer)) return null;
  return (
    <div class="split">
      <section class="card" aria-labelledby="add-credit">
        <h2 id="add-credit">Add credit</h2>
        <ChangeForm action={`${path}/credit`} token={token} button="Add credit">
          <Field
            label="Credits"
            name="credits"
            value={entered('credits')}
            error={errorOf('credits')}
            input={{ required: true, inputMode: 'numeric', autoComplete: 'off' }}
          />
          <Field
            label="Note (optional)"
            name="note"
            value={entered('note')}
            hint="The customer sees it next to the credit."
            input={{ maxLength: NOTE_CHARACTERS_MAX, autoComplete: 'off' }}
          />
        </ChangeForm>
      </section>
      <section class="card" aria-labelledby="refund">
        <h2 id="refund">Refund a search</h2>
        <ChangeForm action={`${path}/refund`} token={token} button="Refund" tone="plain">
          <Field
            label="Request ID"
            name="request"
            value={entered('request')}
            hint="From X-Request-Id, or from the requests below."
            error={errorOf('request')}
            input={{ required: true, maxLength: 100, autoComplete: 'off' }}
          />
          <Field
            label="Reason (optional)"
            name="reason"
            value={entered('reason')}
            input={{ maxLength: NOTE_CHARACTERS_MAX, autoComplete: 'off' }}
          />
        </ChangeForm>
      </section>
      <section class="card" aria-labelledby="note-of">
        <h2 id="note-of">Note</h2>
        <ChangeForm action={`${path}/note`} token={token} button="Save note" tone="plain">
          <Field
            label="About this customer"
            name="about"
            value={customer.note}
            hint="Only operators see it. It is deleted with the account."
            input={{ maxLength: NOTE_CHARACTERS_MAX, autoComplete: 'off' }}
          />
        </ChangeForm>
      </section>
      <Access customer={customer} path={path} token={token} />
    </div>
  );
}

interface AccessProps {
  customer: ShownCustomer;
  path: string;
  token: string;
}

function Access({ customer, path, token }: AccessProps) {
  const { disabledAt, members, email } = customer;
  if (disabledAt !== null) {
    return (
      <section class="card" aria-labelledby="enable">
        <h2 id="enable">Let the customer in again</h2>
        <p class="soft">Keys work at once. Sessions that ended stay ended.</p>
        <ChangeForm action={`${path}/enable`} token={token} button="Enable" tone="plain" />
      </section>
    );
  }
  return (
    <>
      <section class="card" aria-labelledby="sign-in-link">
        <h2 id="sign-in-link">Sign-in link</h2>
        <p class="soft">
          For someone who is locked out. It works once and lets them choose a new password. Earlier
          links stop working.
        </p>
        <ChangeForm action={`${path}/link`} token={token} button="Make a link" tone="plain">
          <Select
            label="For"
            name="member"
            value={email}
            options={members.map((member) => ({ value: member.email, label: member.email }))}
          />
        </ChangeForm>
      </section>
      <section class="card" aria-labelledby="disable">
        <h2 id="disable">Disable</h2>
        <p class="soft">Locks the customer out at once. Credit and keys stay.</p>
        <p>
          <a class="button danger" href={`${path}/disable`}>
            Disable …
          </a>
        </p>
      </section>
    </>
  );
}

function Details({
  deps: { settings, now },
  shown: { customer, requests, actions, given },
}: {
  deps: OperatorDeps;
  shown: Shown;
}) {
  const { keys, members } = customer;
  return (
    <>
      <section class="card" aria-labelledby="members">
        <h2 id="members">Members</h2>
        <MemberTable members={members} />
      </section>
      <section class="card" aria-labelledby="keys">
        <h2 id="keys">Keys</h2>
        {keys.length === 0 ? (
          <p class="soft">No keys yet.</p>
        ) : (
          <KeyTable
            caption="Keys, oldest first"
            keys={keys}
            now={now()}
            limits={settings}
            actions={(key) => <KeyActions key={key.prefix} apiKey={key} now={now()} />}
          />
        )}
      </section>
      {given.length === 0 ? null : (
        <section class="card" aria-labelledby="given">
          <h2 id="given">Credit given</h2>
          <GivenTable customerId={customer.id} given={given} />
        </section>
      )}
      <section class="card" aria-labelledby="requests">
        <h2 id="requests">Latest requests</h2>
        {requests.length === 0 ? (
          <p class="soft">None is kept.</p>
        ) : (
          <>
            <RequestTable
              caption={`${formatCounted(requests.length, 'request')}, newest first`}
              requests={requests}
              linkOf={(id) => `/operator/requests/${id}`}
            />
            <p>
              <a href={`/operator/customers/${customer.id}/requests`}>All requests</a>
            </p>
          </>
        )}
      </section>
      <section class="card" aria-labelledby="trail">
        <h2 id="trail">Changes by operators</h2>
        {actions.length === 0 ? (
          <p class="soft">No changes so far.</p>
        ) : (
          <ActionTable actions={actions} isOfOne />
        )}
      </section>
    </>
  );
}

function GivenTable({ customerId, given }: { customerId: number; given: Shown['given'] }) {
  return (
    <DataTable
      caption="Credit given by operators, newest first"
      isCaptionHidden
      columns={['Time', 'Credits', 'Reference', 'Note', 'Actions'].map((head) => ({ head }))}
      rows={given.map(({ id, credits, reference, note, createdAt, isTakenBack }) => [
        <Timestamp key="at" time={createdAt} />,
        formatCount(credits),
        reference ?? '–',
        note ?? '–',
        isTakenBack ? (
          'taken back'
        ) : (
          <a key="take" class="whole" href={`/operator/customers/${customerId}/credit/${id}`}>
            Take back<span class="hidden"> {formatCount(credits)} credits</span>
          </a>
        ),
      ])}
    />
  );
}

function KeyActions({ apiKey, now }: { apiKey: OwnKey; now: number }) {
  const { prefix, name } = apiKey;
  const path = `/operator/keys/${prefix}`;
  return (
    <>
      <a class="whole" href={path}>
        Set rates<span class="hidden"> of {name}</span>
      </a>
      {isRevoked(apiKey, now) ? null : (
        <>
          {' '}
          <a class="whole" href={`${path}/revoke`}>
            Revoke<span class="hidden"> {name}</span>
          </a>
        </>
      )}
    </>
  );
}

function MemberTable({ members }: { members: ShownCustomer['members'] }) {
  return (
    <DataTable
      caption="Members"
      isCaptionHidden
      columns={[
        { head: 'Address' },
        { head: 'Role' },
        { head: 'Password' },
        { head: 'Two-step sign-in' },
        { head: 'Last seen' },
      ]}
      rows={members.map(({ email, role, hasPassword, hasSecondFactor, seenAt }) => [
        email,
        role,
        hasPassword ? 'chosen' : 'not yet',
        hasSecondFactor ? 'on' : 'off',
        seenAt === null ? '–' : <Timestamp key="seen" time={seenAt} />,
      ])}
    />
  );
}
