/** The field for the password of somebody who is signed in and confirms a step. */
import { Field } from './field.tsx';

export function PasswordField({ email, error }: { email: string; error?: string | undefined }) {
  return (
    <>
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <Field
        label="Password"
        name="password"
        type="password"
        error={error}
        input={{ required: true, autoComplete: 'current-password' }}
      />
    </>
  );
}
