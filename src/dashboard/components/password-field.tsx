/** The field for the password of somebody who is signed in and confirms a step. */
import { Field } from './field.tsx';

export function PasswordField({ email, wrong }: { email: string; wrong?: string | undefined }) {
  return (
    <>
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <Field
        label="Password"
        name="password"
        type="password"
        wrong={wrong}
        input={{ required: true, autoComplete: 'current-password' }}
      />
    </>
  );
}
