/** What a new customer does first, with what is done already. */
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { mayOpen } from '../page/role-access.ts';
import { Submit } from './button.tsx';
import { Card } from './card.tsx';
import { Form } from './form.tsx';
import { formatCounted } from './format-values.ts';
import { RoleContext, RoleLink } from './role-link.tsx';

export interface FirstStepsProps {
  balance: number;
  /** Of a valid key. Undefined: there is none. */
  keyPrefix: string | undefined;
  /** The first question. */
  question: string;
  /** Of the form that asks it. */
  token: string;
}

const FIRST_RESULTS = '3';

export function FirstSteps({ balance, keyPrefix, question, token }: FirstStepsProps) {
  const hasCredit = balance > 0;
  const hasKey = keyPrefix !== undefined;
  const maySearch = mayOpen(useContext(RoleContext), '/dashboard/try');
  return (
    <Card id="first-steps" title="Get started">
      <ol class="checklist">
        <Step title="Get credit" isDone={hasCredit}>
          {hasCredit ? `You have ${formatCounted(balance, 'credit')}. ` : ''}A search costs one
          credit. {hasKey && !hasCredit ? 'Until you top up, searches return 402. ' : ''}
          <RoleLink href="/dashboard/billing">Top up</RoleLink>
        </Step>
        <Step title="Create a key" isDone={hasKey}>
          {hasKey ? 'Your key is ready. ' : 'Programs search with a key. It is shown only once. '}
          <RoleLink href="/dashboard/keys">{hasKey ? 'Manage keys' : 'Create a key'}</RoleLink>
        </Step>
        <Step title="Search for the first time" isDone={false}>
          Send a search from a program, with the command on this page, or{' '}
          <RoleLink href="/dashboard/try" keepsWords>
            try one here
          </RoleLink>
          .
          {hasCredit && hasKey && maySearch ? (
            <Form action="/dashboard/try" token={token} class="row">
              {Object.entries({ query: question, limit: FIRST_RESULTS, key: keyPrefix }).map(
                ([name, value]) => (
                  <input key={name} type="hidden" name={name} value={value} />
                ),
              )}
              <span>“{question}”</span>
              <Submit>Ask (1 credit)</Submit>
            </Form>
          ) : null}
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
      <div class="soft">{children}</div>
    </li>
  );
}
