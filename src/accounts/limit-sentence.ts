/** That the month allows no more automatic orders, in words for its customer. Pure. */
import { once } from '../text/memoize.ts';
import { formatPrice } from './amounts/price.ts';
import { nextMonthStart } from './sql/calendar-month.ts';
import type { AutomaticTopUp } from './sql/top-up-agreements.ts';

const day = once(
  () => new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' }),
);

/** Returns two sentences: why nothing more is bought, and until when. */
export function limitSentence(
  {
    amountOfMonth,
    amountPerMonthMax,
    currency,
  }: Pick<AutomaticTopUp, 'amountOfMonth' | 'amountPerMonthMax' | 'currency'>,
  now: number,
): string {
  const [used, limit] = [amountOfMonth, amountPerMonthMax].map((sum) => formatPrice(sum, currency));
  return (
    `Automatic purchases this month come to ${used}, and another pack would exceed your monthly limit of ${limit}. ` +
    `Nothing is bought automatically until ${day().format(nextMonthStart(now))} (UTC).`
  );
}
