/** GET /dashboard/billing/ORDER/receipt: a receipt to print. */

import { formatPrice } from '../../../accounts/amounts/price.ts';
import { amountRefunded } from '../../../accounts/sql/payment-decisions.ts';
import { VerbatimError } from '../../../errors.ts';
import { PlainLink } from '../../components/button.tsx';
import { formatCount } from '../../components/format-values.ts';
import { PageHead } from '../../components/page-head.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import type { CustomerCall, View } from '../../page/page.ts';
import { paymentOf } from '../../page/payment-of.ts';

/** Throws `not_found` unless the customer has paid such an order. */
export async function receiptPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  const payment = await paymentOf(deps, call);
  const { id, paidAt, credits, amount, currency } = payment;
  if (paidAt === null) throw new VerbatimError('not_found');
  const { sellerName, sellerAddress, sellerTaxLine } = deps.accounts.settings;
  const refunded = amountRefunded(payment);
  const { id: customerId, email } = call.session.customer;
  const buyer = await deps.accounts.store.findBuyer({ customerId });
  const seller = sellerName === '' ? new URL(deps.baseUrl()).host : sellerName;
  return {
    title: `Receipt ${id}`,
    isNarrow: true,
    main: (
      <>
        <PageHead title={`Receipt ${id}`}>
          Paid on <Timestamp time={paidAt} isDay />.
        </PageHead>
        <section class="card" aria-label="Receipt">
          <dl class="facts">
            <dt>Seller</dt>
            <dd>
              <Lines lines={[seller, ...sellerAddress.split('|')]} />
            </dd>
            <dt>Buyer</dt>
            <dd>
              <Lines lines={[...buyer.address.split('\n'), email, buyer.taxId]} />
            </dd>
            <dt>Item</dt>
            <dd>{formatCount(credits)} credits for searches</dd>
            <dt>Paid</dt>
            <dd>{formatPrice(amount, currency)}</dd>
            {refunded === 0 ? null : (
              <>
                <dt>Refunded</dt>
                <dd>{formatPrice(refunded, currency)}</dd>
              </>
            )}
            {sellerTaxLine === '' ? null : (
              <>
                <dt>Tax</dt>
                <dd>{sellerTaxLine}</dd>
              </>
            )}
          </dl>
        </section>
        <p>
          <PlainLink href="/dashboard/billing">Back to billing</PlainLink>
        </p>
      </>
    ),
  };
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <>
      {lines
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .map((line) => (
          <div key={line}>{line}</div>
        ))}
    </>
  );
}
