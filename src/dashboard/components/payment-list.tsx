/** A customer's payments with their states, and what can be done about each. */

import { formatPrice } from '../../accounts/amounts/price.ts';
import {
  type PaymentStatus,
  paymentStatus,
  statusLabels,
} from '../../accounts/payments/payment-status.ts';
import { receiptNumber } from '../../accounts/payments/receipt.ts';
import { amountRefunded } from '../../accounts/sql/payment-decisions.ts';
import type { OwnPayment, PaymentPage } from '../../accounts/sql/payments.ts';
import { PlainLink, Submit } from './button.tsx';
import { DataTable } from './data-table.tsx';
import { Form } from './form.tsx';
import { formatCount, formatTimestamp } from './format-values.ts';
import { Timestamp } from './timestamp.tsx';

interface PaymentListProps {
  /** The path of the page. */
  path: string;
  page: PaymentPage;
  token: string;
  now: number;
  /** Whether payment pages can be opened. */
  canPay: boolean;
}

const tones: Readonly<Partial<Record<PaymentStatus, string>>> = {
  waiting: 'warn',
  on_its_way: 'warn',
  paid: 'good',
  failed: 'bad',
  disputed: 'warn',
  needs_a_look: 'warn',
};

export function PaymentList({ path, page, token, now, canPay }: PaymentListProps) {
  const { payments, hasOlder } = page;
  const last = payments.at(-1);
  return (
    <section class="stack" aria-labelledby="payments">
      <div class="head">
        <h2 id="payments">Payments</h2>
        {last === undefined ? null : (
          <p class="row">
            <a href={`${path}/payments.csv`}>CSV</a>
            <a href={`${path}/payments.json`}>JSON</a>
          </p>
        )}
      </div>
      {last === undefined ? (
        <p class="soft">Purchases of credit will appear here, with their receipts.</p>
      ) : (
        <DataTable
          caption="Payments, newest first"
          isCaptionHidden
          columns={[
            { head: 'Time' },
            { head: 'Credits', isNumber: true },
            { head: 'Price', isNumber: true },
            { head: 'State' },
            { head: 'Actions' },
          ]}
          rows={payments.map((payment) => [
            <Timestamp key="when" time={payment.createdAt} />,
            formatCount(payment.credits),
            formatPrice(payment.amount, payment.currency),
            <State key="state" payment={payment} status={paymentStatus(payment, now)} />,
            <Action
              key="action"
              path={path}
              payment={payment}
              token={token}
              now={now}
              canPay={canPay}
            />,
          ])}
        />
      )}
      {hasOlder && last !== undefined ? (
        <nav class="row" aria-label="Pages of payments">
          <PlainLink href={`${path}?before=${last.id}`}>Older</PlainLink>
        </nav>
      ) : null}
    </section>
  );
}

function State({ payment, status }: { payment: OwnPayment; status: PaymentStatus }) {
  const refunded = amountRefunded(payment);
  const price = (amount: number): string => formatPrice(amount, payment.currency);
  return (
    <>
      <span class={`badge ${tones[status] ?? ''}`}>{statusLabels[status]}</span>
      {payment.paymentMethod === null ? null : <span class="soft small"> Automatic</span>}
      {refunded === 0 ? null : <span class="soft small"> {price(refunded)} refunded</span>}
      {payment.refundsFailed === 0 ? null : (
        <span class="soft small">
          {' '}
          A refund of {price(payment.refundsFailed)} failed; its credit was restored
        </span>
      )}
      {status === 'needs_a_look' && payment.isOperatorNotified ? (
        <span class="soft small"> The operator was notified</span>
      ) : null}
    </>
  );
}

function Action({
  path,
  payment,
  token,
  now,
  canPay,
}: Omit<PaymentListProps, 'page'> & { payment: OwnPayment }) {
  const { orderId, createdAt, paidAt } = payment;
  const of = <span class="hidden"> of {formatTimestamp(createdAt)}</span>;
  if (paidAt !== null) {
    return <a href={`${path}/${orderId}/receipt`}>Receipt {receiptNumber(payment)}</a>;
  }
  if (!canPay || paymentStatus(payment, now) !== 'waiting') return <>–</>;
  return (
    <div class="row">
      <Form action={`${path}/${orderId}/continue`} token={token} class="">
        <Submit look="plain compact">Continue{of}</Submit>
      </Form>
      <Form action={`${path}/${orderId}/cancel`} token={token} class="">
        <Submit look="plain compact">Cancel{of}</Submit>
      </Form>
    </div>
  );
}
