/** A card with a form that is saved or left, on a page of its own. */
import type { ComponentChildren } from 'preact';
import { PlainLink, Submit } from './button.tsx';
import { Form } from './form.tsx';

export interface SaveFormProps {
  action: string;
  token: string;
  /** Where Cancel leads. */
  cancelHref: string;
  children: ComponentChildren;
}

export function SaveForm({ action, token, cancelHref, children }: SaveFormProps) {
  return (
    <div class="card">
      <Form action={action} token={token}>
        {children}
        <div class="row">
          <Submit>Save</Submit>
          <PlainLink href={cancelHref}>Cancel</PlainLink>
        </div>
      </Form>
    </div>
  );
}
