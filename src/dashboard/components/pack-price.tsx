/** The price of a pack of credits. */

import { formatPrice } from '../../accounts/amounts/price.ts';
import type { Pack } from '../../accounts/payments/packs.ts';

export function PackPrice({ pack, currency }: { pack: Pack; currency: string }) {
  const perThousand = Math.round((pack.amount * 1000) / pack.credits);
  return (
    <>
      {formatPrice(pack.amount, currency)}{' '}
      <span class="soft small whole">{formatPrice(perThousand, currency)} per thousand</span>
    </>
  );
}
