/** The section in which somebody changes their password. */
import { Submit } from './button.tsx';
import { Card } from './card.tsx';
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
    <Card id="password-head" title="Password">
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
          <Submit>Change password</Submit>
        </div>
      </Form>
    </Card>
  );
}
