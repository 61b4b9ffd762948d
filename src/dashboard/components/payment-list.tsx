/** A customer's payments with their states, and what can be done about each. */

import { formatPrice } from '../../accounts/amounts/price.ts';
import {
  type PaymentStatus,
  paymentStatus,
  statusLabels,
} from '../../accounts/payments/payment-status.ts';
import { receiptNumber } from '../../accounts/payments/receipt.ts';
import { amountRefunded } from '../../accounts/sql/payment-decisions.ts';
import type { OwnPayment } from '../../accounts/sql/payments.ts';
import type { Page } from '../../accounts/sql/row-pages.ts';
import { Submit } from './button.tsx';
import { DataTable } from './data-table.tsx';
import { Downloads, Pager } from './filtered-list.tsx';
import { Form } from './form.tsx';
import { formatCount, formatTimestamp } from './format-values.ts';
import { Timestamp } from './timestamp.tsx';

interface PaymentListProps {
  /** The path of the page. */
  path: string;
  page: Page<OwnPayment>;
  /** After which payment the page continues; absent: it is the first one. */
  before: string | undefined;
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

export function PaymentList({ path, page, before, token, now, canPay }: PaymentListProps) {
  return (
    <section class="stack" aria-labelledby="payments">
      <div class="head">
        <h2 id="payments">Payments</h2>
        {page.rows.length === 0 ? null : <Downloads path={`${path}/payments`} />}
      </div>
      {page.rows.length === 0 ? (
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
          rows={page.rows.map((payment) => [
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
      <Pager path={path} fields={before === undefined ? {} : { before }} next={page.next} />
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
}: Omit<PaymentListProps, 'page' | 'before'> & { payment: OwnPayment }) {
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
