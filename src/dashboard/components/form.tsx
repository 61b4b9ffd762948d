/** A POST form with the token that proves that this site loaded it. */
import type { ComponentChildren } from 'preact';
import { FORM_TOKEN_FIELD } from '../page/forms.ts';

export interface FormProps {
  action: string;
  token: string;
  children: ComponentChildren;
  class?: string;
}

export function Form({ action, token, children, class: className = 'stack' }: FormProps) {
  return (
    <form method="post" action={action} class={className}>
      <input type="hidden" name={FORM_TOKEN_FIELD} value={token} />
      {children}
    </form>
  );
}
