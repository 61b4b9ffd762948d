/** The two fields in which a new password is chosen. */
import { sentence } from './error-view.tsx';
import { Field } from './field.tsx';

export interface NewPasswordFieldsProps {
  /** Told to password managers, which keep it with the password. */
  email: string;
  wrong?: string | undefined;
}

export function NewPasswordFields({ email, wrong }: NewPasswordFieldsProps) {
  const input = { required: true, autoComplete: 'new-password' } as const;
  return (
    <>
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <Field
        label="New password"
        name="new_password"
        type="password"
        hint="12 characters or more. A few words that have nothing to do with each other are good."
        wrong={wrong === undefined ? undefined : sentence(wrong)}
        input={input}
      />
      <Field label="New password again" name="new_password_again" type="password" input={input} />
    </>
  );
}
