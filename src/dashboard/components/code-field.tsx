/** The field for a code of the second step. */
import { Field } from './field.tsx';

export interface CodeFieldProps {
  error?: string | undefined;
  /** Whether only the app's code counts, because there are no recovery codes yet. */
  isOfApp?: boolean;
  name?: string;
  label?: string;
}

export function CodeField({
  error,
  isOfApp = false,
  name = 'code',
  label = isOfApp ? 'Code from the app' : 'Code',
}: CodeFieldProps) {
  return (
    <Field
      label={label}
      name={name}
      hint={
        isOfApp
          ? 'The 6 digits that the app shows now.'
          : 'The 6 digits that your authenticator app shows now, or one of your recovery codes.'
      }
      error={error}
      input={{ required: true, autoComplete: 'one-time-code', maxLength: 40 }}
    />
  );
}
