/** A form with a single e-mail address field. */
import { sentence } from './error-view.tsx';
import { Field } from './field.tsx';
import { Form } from './form.tsx';

export interface AddressFormProps {
  action: string;
  token: string;
  button: string;
  error?: string | undefined;
}

export function AddressForm({ action, token, button, error }: AddressFormProps) {
  return (
    <div class="card">
      <Form action={action} token={token}>
        <Field
          label="E-mail address"
          name="email"
          type="email"
          error={error === undefined ? undefined : sentence(error)}
          input={{ required: true, autoComplete: 'email' }}
        />
        <button class="button" type="submit">
          {button}
        </button>
      </Form>
    </div>
  );
}
