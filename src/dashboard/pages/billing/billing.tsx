/** GET and POST /dashboard/billing: buys credit, and lists the payments. */
import { randomUUID } from 'node:crypto';
import { paymentTable } from '../../../accounts/account-tables.ts';
import { balanceView } from '../../../accounts/credit.ts';
import { type Contact, readContact } from '../../../accounts/operator-contact.ts';
import type { Payer } from '../../../accounts/payments/checkout.ts';
import type { Offer } from '../../../accounts/payments/packs.ts';
import type { OwnPayment } from '../../../accounts/sql/payments.ts';
import { statementsOf } from '../../../accounts/statements.ts';
import type { Table } from '../../../accounts/write-table.ts';
import type { VerbatimError } from '../../../errors.ts';
import { AutomaticTopUpForm, type TypedTopUp } from '../../components/automatic-top-up-form.tsx';
import {
  type BillingPreferences,
  BillingPreferencesForm,
} from '../../components/billing-preferences.tsx';
import { Submit } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { AskOperator } from '../../components/contact-link.tsx';
import { Debt } from '../../components/credit-notice.tsx';
import { Form } from '../../components/form.tsx';
import { formatCounted } from '../../components/format-values.ts';
import { Message } from '../../components/notice.tsx';
import { PackPrice } from '../../components/pack-price.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PaymentList } from '../../components/payment-list.tsx';
import { StatementList } from '../../components/statement-list.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { pageReader, readFilterFields } from '../../page/filter-fields.ts';
import { formHandler } from '../../page/forms.ts';
import type { CustomerCall, View } from '../../page/page.ts';
import { redirectAway, redirectTo } from '../../page/page-redirects.ts';
import { paymentOf } from '../../page/payment-of.ts';
import { Arrival, arrivalPath, followedPayment, waitingView } from './arrival.tsx';
import { STATEMENTS_PATH } from './statement.tsx';

export const BILLING_PATH = '/dashboard/billing';

/** What is wrong with a form that was sent, and the payment that the customer has just made. */
interface Faults {
  arriving?: OwnPayment | undefined;
  /** About the page as a whole. */
  page?: string;
  automatic?: TypedTopUp;
  preferences?: BillingPreferences & { error: VerbatimError };
}

export async function billingPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  const arriving = await followedPayment(deps, call);
  return waitingView(deps, call, arriving) ?? (await billingView(deps, call, { arriving }));
}

/** Starts a purchase and redirects the customer to the payment page. */
export const buyForm = formHandler(billingAgain, async (deps, call) => {
  const orderId = call.form.get('order') ?? '';
  const { url } = await deps.service.topUp.createCheckout({
    ...payerOf(deps, call, orderId),
    credits: Number(call.form.get('credits')),
    orderId,
  });
  return redirectAway(new URL(url));
});

/** Leads back to the payment page of an order. Throws `not_found` if the customer has no such order. */
export const continueForm = formHandler(continueAgain, async (deps, call) => {
  const payment = await paymentOf(deps, call);
  const payer = payerOf(deps, call, payment.orderId);
  const { url } = await deps.service.topUp.continueCheckout(payer, payment);
  return redirectAway(new URL(url));
});

/** Gives up an order. Throws `not_found` if the customer has no such order. */
export const cancelForm = formHandler(continueAgain, async (deps, call) => {
  await deps.service.topUp.cancelCheckout(await paymentOf(deps, call));
  return redirectTo(`${BILLING_PATH}?done=order_canceled`);
});

function billingAgain(
  deps: DashboardDeps,
  call: CustomerCall,
  error: VerbatimError,
): Promise<View> {
  return billingView(deps, call, { page: error.message });
}

async function continueAgain(
  deps: DashboardDeps,
  call: CustomerCall,
  error: VerbatimError,
): Promise<View> {
  await paymentOf(deps, call);
  return await billingAgain(deps, call, error);
}

function payerOf(deps: DashboardDeps, call: CustomerCall, orderId: string): Payer {
  const { id: customerId, email } = call.session.customer;
  return {
    customerId,
    email,
    successUrl: `${deps.baseUrl()}${arrivalPath(orderId)}`,
    cancelUrl: `${deps.baseUrl()}${BILLING_PATH}?done=cancelled`,
  };
}

/** Returns the page, with what is wrong with a form that was sent. */
export async function billingView(
  deps: DashboardDeps,
  call: CustomerCall,
  faults: Faults = {},
): Promise<View> {
  const { offer, paymentOrigins, automatic } = deps.service.topUp;
  const { customer } = call.session;
  const { filter, fields } = readFilterFields(call.query, pageReader);
  const { store, settings, now } = deps.accounts;
  const { balance, ...page } = await store.readBilling({
    customerId: customer.id,
    ...filter,
    paymentsMax: settings.listPageRowsMax,
  });
  const sums = await store.readMonthSums({ customerId: customer.id });
  const buyer = await store.findBuyer({ customerId: customer.id });
  return {
    title: 'Billing',
    balance: balanceView(customer, balance),
    formTargets: paymentOrigins,
    main: (
      <>
        <PageHead title="Billing">
          {formatCounted(Math.abs(balance), 'credit')} {balance < 0 ? 'owed' : 'left'}. One credit
          is one search; credits don’t expire.
        </PageHead>
        <Message tone="bad" text={faults.page} />
        <Return done={call.query.get('done')} payment={faults.arriving} now={now()} />
        {balance < 0 ? <Debt balance={balance} /> : null}
        {offer === undefined ? (
          <NoPayments email={call.session.customer.email} contact={readContact(settings)} />
        ) : (
          <Packs offer={offer} token={call.formToken()} />
        )}
        <div class="split">
          {offer === undefined ? null : (
            <AutomaticTopUpForm
              action={`${BILLING_PATH}/automatic`}
              token={call.formToken()}
              offer={offer}
              topUp={await automatic?.find(customer.id)}
              typed={faults.automatic}
              now={now()}
            />
          )}
          <BillingPreferencesForm
            action={`${BILLING_PATH}/preferences`}
            token={call.formToken()}
            values={{
              lowBalance: String(customer.lowBalance ?? ''),
              ...buyer,
              ...faults.preferences,
            }}
            hasMail={deps.accounts.sendMail !== undefined}
            error={faults.preferences?.error}
          />
        </div>
        <PaymentList
          path={BILLING_PATH}
          page={page}
          before={fields.before}
          token={call.formToken()}
          now={now()}
          canPay={offer !== undefined}
        />
        <StatementList path={STATEMENTS_PATH} statements={statementsOf(sums, now())} />
      </>
    ),
  };
}

/** What was done: a form that was saved, or a visit to the page where customers pay. */
function Return(props: { done: string | null; payment: OwnPayment | undefined; now: number }) {
  const { done, payment, now } = props;
  if (payment !== undefined) return <Arrival payment={payment} now={now} />;
  return <Message tone={done === 'cancelled' ? 'plain' : 'good'} text={notes[done ?? '']} />;
}

const notes: Readonly<Record<string, string>> = {
  saved: 'Saved.',
  cancelled: 'You were not charged. The order is listed under Payments, to continue or to cancel.',
  order_canceled: 'The order is canceled.',
  card: 'Stripe has saved your card. Automatic top-up is on as soon as that is confirmed, in most cases within seconds.',
  off: 'Automatic top-up is off. Your card is being removed.',
};

function Packs({ offer: { packs, currency }, token }: { offer: Offer; token: string }) {
  return (
    <div class="packs">
      {packs.map((pack) => (
        <section
          key={pack.credits}
          class="card pack"
          aria-label={formatCounted(pack.credits, 'credit')}
        >
          <div>
            <p class="figure">{formatCounted(pack.credits, 'credit')}</p>
            <p>
              <PackPrice pack={pack} currency={currency} />
            </p>
          </div>
          <Form action={BILLING_PATH} token={token}>
            <input type="hidden" name="credits" value={String(pack.credits)} />
            {/* One purchase per form, however often it is sent. The next page has a new order. */}
            <input type="hidden" name="order" value={randomUUID()} />
            <Submit>
              Buy<span class="hidden"> {formatCounted(pack.credits, 'credit')}</span>
            </Submit>
          </Form>
        </section>
      ))}
    </div>
  );
}

function NoPayments({ email, contact }: { email: string; contact: Contact | undefined }) {
  return (
    <Card id="ask" title="No online payments">
      <p class="measure">
        <AskOperator contact={contact}>for credits</AskOperator> Name your address,{' '}
        <strong>{email}</strong>. Credits are in your balance as soon as they are added.
      </p>
    </Card>
  );
}

/** Returns all payments of the customer. */
export function paymentsFile(deps: DashboardDeps, call: CustomerCall): Table {
  return paymentTable(deps.accounts, call.session.customer.id);
}
