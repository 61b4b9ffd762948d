/** A card with a form that is saved or left, on a page of its own. */
import type { ComponentChildren } from 'preact';
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
          <button class="button" type="submit">
            Save
          </button>
          <a class="button plain" href={cancelHref}>
            Cancel
          </a>
        </div>
      </Form>
    </div>
  );
}
