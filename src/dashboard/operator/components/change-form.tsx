/** A form that changes something once. */
import type { ComponentChildren } from 'preact';
import { Form } from '../../components/form.tsx';
import { IDEMPOTENCY_KEY_FIELD } from '../../page/forms.ts';
import { newIdempotencyKey } from '../page/change-once.ts';

export interface ChangeFormProps {
  action: string;
  token: string;
  button: string;
  /** The look of the button. */
  tone?: 'plain' | 'danger';
  children?: ComponentChildren;
}

export function ChangeForm({ action, token, button, tone, children }: ChangeFormProps) {
  return (
    <Form action={action} token={token}>
      <input type="hidden" name={IDEMPOTENCY_KEY_FIELD} value={newIdempotencyKey()} />
      {children}
      <div>
        <button class={tone === undefined ? 'button' : `button ${tone}`} type="submit">
          {button}
        </button>
      </div>
    </Form>
  );
}
