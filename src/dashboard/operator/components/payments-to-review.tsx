/** Payments with problems, disputes, and failed refunds, with links to their customers and to Stripe. */
import type { ComponentChildren } from 'preact';
import { formatPrice } from '../../../accounts/amounts/price.ts';
import type { PaymentsToReview } from '../../../accounts/sql/payments-to-review.ts';
import type { Settings } from '../../../settings/config.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmailAddress } from '../../components/email-address.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { stripeAddress } from '../page/stripe-address.ts';

type StripeSettings = Pick<Settings, 'stripeSecretKey'>;

interface Props {
  found: PaymentsToReview;
  settings: StripeSettings;
}

export function PaymentsReview({ found, settings }: Props) {
  return (
    <>
      <Section id="problems" title="Payments to review">
        <Problems found={found} settings={settings} />
      </Section>
      <Section id="disputes" title="Disputes">
        <Disputes found={found} settings={settings} />
      </Section>
      <Section id="failed-refunds" title="Failed refunds">
        <FailedRefunds found={found} settings={settings} />
      </Section>
    </>
  );
}

function Section(props: { id: string; title: string; children: ComponentChildren }) {
  const { id, title, children } = props;
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function Problems({ found: { payments, strays }, settings }: Props) {
  if (payments.length + strays.length === 0) {
    return <p class="soft">Every payment that arrived is as it was ordered.</p>;
  }
  return (
    <DataTable
      caption="Payments with a problem, and events of Stripe that belong to no payment"
      isCaptionHidden
      columns={[
        { head: 'Time' },
        { head: 'Customer', isAddress: true },
        { head: 'Price', isNumber: true },
        { head: 'At Stripe' },
        { head: 'What is wrong' },
      ]}
      rows={[
        ...payments.map((payment) => [
          <Timestamp key="at" time={payment.createdAt} />,
          <Customer key="customer" id={payment.customerId} email={payment.customer} />,
          formatPrice(payment.amount, payment.currency),
          <StripeId
            key="id"
            settings={settings}
            id={payment.paymentIntent ?? payment.session ?? payment.orderId}
          />,
          payment.problem ?? 'Paid, but not as ordered.',
        ]),
        ...strays.map(({ id, problem, createdAt }) => [
          <Timestamp key="at" time={createdAt} />,
          'unknown',
          '–',
          <StripeId key="id" settings={settings} id={id} />,
          problem,
        ]),
      ]}
    />
  );
}

function Disputes({ found: { disputes }, settings }: Props) {
  if (disputes.length === 0) return <p class="soft">No payment is disputed.</p>;
  return (
    <DataTable
      caption="Disputes, latest change first"
      isCaptionHidden
      columns={[
        { head: 'Changed' },
        { head: 'Customer', isAddress: true },
        { head: 'Amount', isNumber: true },
        { head: 'At Stripe' },
        { head: 'State' },
      ]}
      rows={disputes.map((dispute) => [
        <Timestamp key="at" time={dispute.changedAt} />,
        <Customer key="customer" id={dispute.customerId} email={dispute.customer} />,
        formatPrice(dispute.amount, dispute.currency),
        <StripeId key="id" settings={settings} id={dispute.id} />,
        dispute.takesBack ? (
          <span key="state" class="badge warn">
            open or lost
          </span>
        ) : (
          <span key="state" class="badge good">
            won
          </span>
        ),
      ])}
    />
  );
}

function FailedRefunds({ found: { failedRefunds }, settings }: Props) {
  if (failedRefunds.length === 0) return <p class="soft">No refund has failed.</p>;
  return (
    <DataTable
      caption="Refunds whose money came back to you. Their credit was restored."
      columns={[
        { head: 'Refund' },
        { head: 'Customer', isAddress: true },
        { head: 'Amount', isNumber: true },
        { head: 'Payment at Stripe' },
      ]}
      rows={failedRefunds.map(({ id, customerId, customer, amount, currency, paymentIntent }) => [
        <span key="id" class="mono">
          {id}
        </span>,
        <Customer key="customer" id={customerId} email={customer} />,
        formatPrice(amount, currency),
        <StripeId key="payment" settings={settings} id={paymentIntent} />,
      ])}
    />
  );
}

function Customer({ id, email }: { id: number | null; email: string | null }) {
  if (id === null) return <>unknown</>;
  return <a href={`/operator/customers/${id}`}>{email && <EmailAddress address={email} />}</a>;
}

function StripeId({ settings, id }: { settings: StripeSettings; id: string }) {
  const address = stripeAddress(settings, id);
  const text = <span class="mono">{id}</span>;
  return address === undefined ? (
    text
  ) : (
    <a href={address} rel="noreferrer">
      {text}
    </a>
  );
}
