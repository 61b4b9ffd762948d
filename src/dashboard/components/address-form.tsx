/** A form with a single e-mail address field. */
import { Submit } from './button.tsx';
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
          error={error}
          input={{ required: true, autoComplete: 'email' }}
        />
        <Submit>{button}</Submit>
      </Form>
    </div>
  );
}
