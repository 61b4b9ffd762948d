/** The section in which somebody changes their password. */
import { Field, NewPasswordFields } from './field.tsx';
import { Form } from './form.tsx';

/** The reason why a password was rejected, by field. */
export interface WrongPassword {
  password?: string;
  newPassword?: string;
}

export interface PasswordSectionProps {
  action: string;
  token: string;
  email: string;
  wrong: WrongPassword;
}

export function PasswordSection({ action, token, email, wrong }: PasswordSectionProps) {
  return (
    <section class="card" aria-labelledby="password-head">
      <h2 id="password-head">Password</h2>
      <Form action={action} token={token}>
        <Field
          label="Current password"
          name="password"
          type="password"
          wrong={wrong.password}
          input={{ required: true, autoComplete: 'current-password' }}
        />
        <NewPasswordFields email={email} wrong={wrong.newPassword} />
        <div>
          <button class="button" type="submit">
            Change password
          </button>
        </div>
      </Form>
    </section>
  );
}
