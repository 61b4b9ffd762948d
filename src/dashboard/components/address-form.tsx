/** A form with a single e-mail address field. */
import { sentence } from './error-view.tsx';
import { Field } from './field.tsx';
import { Form } from './form.tsx';

export interface AddressFormProps {
  action: string;
  token: string;
  button: string;
  wrong?: string | undefined;
}

export function AddressForm({ action, token, button, wrong }: AddressFormProps) {
  return (
    <div class="card">
      <Form action={action} token={token}>
        <Field
          label="E-mail address"
          name="email"
          type="email"
          wrong={wrong === undefined ? undefined : sentence(wrong)}
          input={{ required: true, autoComplete: 'email' }}
        />
        <button class="button" type="submit">
          {button}
        </button>
      </Form>
    </div>
  );
}
