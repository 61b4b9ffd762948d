/** A warning where credit runs low, is used up, or less than that. */
import { formatCounted } from './format.ts';
import { Notice } from './notice.tsx';

export interface CreditNoticeProps {
  balance: number;
  isLow: boolean;
}

export function CreditNotice({ balance, isLow }: CreditNoticeProps) {
  if (balance < 0) return <Debt balance={balance} />;
  if (balance > 0 && !isLow) return null;
  return (
    <Notice tone="warn">
      <p>
        <strong>{balance === 0 ? 'There is no credit.' : 'Your credit is running low.'}</strong>{' '}
        {balance === 0
          ? 'Searches are refused with 402 until there is.'
          : `${formatCounted(balance, 'credit')} left: a search costs one.`}{' '}
        <a href="/dashboard/top-up">Top up</a>
      </p>
    </Notice>
  );
}

/** Credits that were used, and whose payment went back. */
export function Debt({ balance }: { balance: number }) {
  return (
    <Notice tone="warn">
      <p>
        <strong>There is a debt of {formatCounted(-balance, 'credit')}.</strong> A payment went back
        to its payer after its credits had been used. The next credits make up for them first; until
        then searches are refused with 402.
      </p>
    </Notice>
  );
}
