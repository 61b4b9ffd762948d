/** What a new customer does first, with what is done already. */
import type { ComponentChildren } from 'preact';
import { Card } from './card.tsx';
import { formatCounted } from './format-values.ts';
import { RoleLink } from './role-link.tsx';

export interface FirstStepsProps {
  balance: number;
  hasKey: boolean;
}

export function FirstSteps({ balance, hasKey }: FirstStepsProps) {
  const hasCredit = balance > 0;
  return (
    <Card id="first-steps" title="Get started">
      <ol class="checklist">
        <Step title="Get credit" isDone={hasCredit}>
          {hasCredit ? `You have ${formatCounted(balance, 'credit')}. ` : ''}A search costs one
          credit. <RoleLink href="/dashboard/billing">Top up</RoleLink>
        </Step>
        <Step title="Create a key" isDone={hasKey}>
          {hasKey ? (
            <>
              Your key is ready. <RoleLink href="/dashboard/keys">Manage keys</RoleLink>
            </>
          ) : (
            <>
              Programs search with a key. Its secret is shown only once.{' '}
              <RoleLink href="/dashboard/keys">Create a key</RoleLink>
            </>
          )}
        </Step>
        <Step title="Search for the first time" isDone={false}>
          <RoleLink href="/dashboard/try" keepsWords>
            Try a search
          </RoleLink>{' '}
          here, or send one from a program, as below.
        </Step>
      </ol>
    </Card>
  );
}

interface StepProps {
  title: string;
  isDone: boolean;
  children: ComponentChildren;
}

function Step({ title, isDone, children }: StepProps) {
  return (
    <li class={isDone ? 'done' : undefined}>
      <strong>{title}</strong>
      {isDone ? <span class="badge good">Done</span> : null}
      <p class="soft">{children}</p>
    </li>
  );
}
