/** A warning when credit is low, used up or negative. */
import { formatCounted } from './format-values.ts';
import { Notice } from './notice.tsx';
import { RoleLink } from './role-link.tsx';

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
        <strong>{balance === 0 ? 'You have no credit.' : 'Your credit is running low.'}</strong>{' '}
        {balance === 0
          ? 'Searches return 402 until you top up.'
          : `${formatCounted(balance, 'credit')} left. A search costs one.`}{' '}
        <RoleLink href="/dashboard/billing">Top up</RoleLink>
      </p>
    </Notice>
  );
}

/** The notice for used credits whose payment was reversed. */
export function Debt({ balance }: { balance: number }) {
  return (
    <Notice tone="warn">
      <p>
        <strong>You owe {formatCounted(-balance, 'credit')}.</strong> A payment was reversed after
        its credits were used. Your next top-up pays this debt first. Until then, searches return
        402.
      </p>
    </Notice>
  );
}
