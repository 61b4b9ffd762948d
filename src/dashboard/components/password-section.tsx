/** The section in which somebody changes their password. */
import { Field, NewPasswordFields } from './field.tsx';
import { Form } from './form.tsx';

/** The reason why a password was rejected, by field. */
export interface PasswordErrors {
  password?: string;
  newPassword?: string;
}

export interface PasswordSectionProps {
  action: string;
  token: string;
  email: string;
  errors: PasswordErrors;
}

export function PasswordSection({ action, token, email, errors }: PasswordSectionProps) {
  return (
    <section class="card" aria-labelledby="password-head">
      <h2 id="password-head">Password</h2>
      <Form action={action} token={token}>
        <Field
          label="Current password"
          name="password"
          type="password"
          error={errors.password}
          input={{ required: true, autoComplete: 'current-password' }}
        />
        <NewPasswordFields email={email} error={errors.newPassword} />
        <div>
          <button class="button" type="submit">
            Change password
          </button>
        </div>
      </Form>
    </section>
  );
}
