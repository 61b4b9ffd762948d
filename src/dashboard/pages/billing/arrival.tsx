/** After Stripe's payment page: waits for the payment, and says what has become of it. */
import { type PaymentStatus, paymentStatus } from '../../../accounts/payments/payment-status.ts';
import { receiptNumber } from '../../../accounts/payments/receipt.ts';
import type { OwnPayment } from '../../../accounts/sql/payments.ts';
import { PlainLink } from '../../components/button.tsx';
import { formatCounted } from '../../components/format-values.ts';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import type { CustomerCall, View } from '../../page/page.ts';

const PATH = '/dashboard/billing';

/** Returns the address of the page that follows an order. */
export function arrivalPath(orderId: string): string {
  return `${PATH}?done=paid&order=${orderId}`;
}

/** Finds the payment that the page follows; undefined if it follows none. */
export async function followedPayment(
  deps: DashboardDeps,
  { query, session }: CustomerCall,
): Promise<OwnPayment | undefined> {
  const orderId = query.get('order');
  if (query.get('done') !== 'paid' || orderId === null) return undefined;
  return await deps.accounts.store.findOwnPayment({ customerId: session.customer.id, orderId });
}

/** Returns the page that loads itself again until a payment is here; undefined once that is over. */
export function waitingView(
  { accounts: { settings, now } }: DashboardDeps,
  { query }: CustomerCall,
  payment: OwnPayment | undefined,
): View | undefined {
  const looks = Number(query.get('looks') ?? 0);
  if (payment === undefined || paymentStatus(payment, now()) !== 'waiting') return undefined;
  if (!(looks < settings.paymentLooksMax)) return undefined;
  const next = `${arrivalPath(payment.orderId)}&looks=${looks + 1}`;
  return {
    title: 'Waiting for Stripe',
    isNarrow: true,
    headers: { Refresh: `${settings.paymentLookSeconds}; url=${next}` },
    main: (
      <>
        <PageHead title="Waiting for Stripe">
          Stripe is confirming your payment, usually within seconds. This page reloads by itself.
        </PageHead>
        <p class="row">
          <PlainLink href={next}>Reload now</PlainLink>
          <PlainLink href={PATH}>Go to billing</PlainLink>
        </p>
      </>
    ),
  };
}

/** What became of a payment that has not arrived. */
const sentences: Readonly<Partial<Record<PaymentStatus, string>>> = {
  waiting:
    'Stripe has not confirmed your payment yet. Your credit is added as soon as it does; you need not stay on this page. If you were charged and the credit is not here within an hour, contact the operator and name the order',
  on_its_way:
    'Your payment is on its way. A bank transfer takes a few days. The credit is added when the money arrives.',
  failed: 'The payment failed, and you were not charged.',
  expired: 'The payment page has expired, and you were not charged.',
  canceled: 'This order was canceled, and you were not charged.',
  needs_a_look: 'The operator has to look at this payment before its credit is added.',
};

/** What has become of the payment. */
export function Arrival({ payment, now }: { payment: OwnPayment; now: number }) {
  const status = paymentStatus(payment, now);
  const said = sentences[status];
  if (said !== undefined) {
    return (
      <Notice tone={status === 'waiting' ? 'plain' : 'warn'}>
        <p>
          {said}
          {status === 'waiting' ? <span class="mono"> {payment.orderId}</span> : null}
        </p>
      </Notice>
    );
  }
  return (
    <Notice tone="good">
      <p>
        <strong>Thank you.</strong> {formatCounted(payment.credits, 'credit was', 'credits were')}{' '}
        added. <a href={`${PATH}/${payment.orderId}/receipt`}>Receipt {receiptNumber(payment)}</a>
      </p>
    </Notice>
  );
}
