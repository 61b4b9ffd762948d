/** A page that asks before it changes something that hurts, and for the reason. */
import type { ComponentChildren } from 'preact';
import { PlainLink } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { Message } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import type { View } from '../../page/page.ts';
import { REASON_CHARACTERS_MAX } from '../page/change-handler.ts';
import { ChangeForm } from './change-form.tsx';

export interface Confirmation {
  title: string;
  /** What happens. */
  lead: ComponentChildren;
  action: string;
  token: string;
  button: string;
  /** Where whoever changes their mind goes. */
  back: string;
  /** Says who reads the reason. */
  reasonHint?: string;
  /** What was entered, and what is wrong with it. */
  reason?: string | undefined;
  error?: string | undefined;
  /** Further fields. */
  children?: ComponentChildren;
}

export function confirmationView(confirmation: Confirmation): View {
  const { title, lead, back } = confirmation;
  return {
    title,
    isNarrow: true,
    main: (
      <>
        <PageHead title={title}>{lead}</PageHead>
        <Message tone="bad" text={confirmation.error} />
        <div class="card">
          <ConfirmForm {...confirmation} />
        </div>
        <div>
          <PlainLink href={back}>Change nothing</PlainLink>
        </div>
      </>
    ),
  };
}

/** The form alone. */
export function ConfirmForm({
  action,
  token,
  button,
  reason,
  reasonHint = 'Only operators see it, in the trail.',
  children,
}: Omit<Confirmation, 'title' | 'lead' | 'back'>) {
  return (
    <ChangeForm action={action} token={token} button={button} tone="danger">
      {children}
      <Field
        label="Reason"
        name="reason"
        value={reason}
        hint={reasonHint}
        input={{ required: true, maxLength: REASON_CHARACTERS_MAX, autoComplete: 'off' }}
      />
    </ChangeForm>
  );
}
