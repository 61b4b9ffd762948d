/** The price of a pack of credits. */
import type { Pack } from '../../payments/packs.ts';
import { formatPrice } from '../../price.ts';

export function PackPrice({ pack, currency }: { pack: Pack; currency: string }) {
  const perThousand = Math.round((pack.amount * 1000) / pack.credits);
  return (
    <>
      {formatPrice(pack.amount, currency)}{' '}
      <span class="soft small whole">{formatPrice(perThousand, currency)} per thousand</span>
    </>
  );
}
