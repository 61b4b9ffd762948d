/** Form fields, each with its label, hint and error. */

import type { JSX } from 'preact';
import { sentence } from './error-view.tsx';

export interface FieldProps {
  label: string;
  name: string;
  type?: 'text' | 'email' | 'password' | 'search' | 'date';
  value?: string | undefined;
  hint?: string;
  /** The error of the previous submission. */
  error?: string | undefined;
  input?: InputOptions;
}

/** The JSX type is a union by input kind; this component sets the kind at run time. */
type InputAttributes = JSX.IntrinsicElements['input'];

interface InputOptions {
  required?: boolean;
  maxLength?: number;
  inputMode?: 'numeric';
  /** The id of the suggestions. */
  list?: string;
  autoComplete?:
    | 'off'
    | 'email'
    | 'username'
    | 'current-password'
    | 'new-password'
    | 'one-time-code';
}

/** What is said below a field. */
interface Remarked {
  name: string;
  hint?: string | undefined;
  /** The error of the previous submission, which becomes a sentence. */
  error?: string | undefined;
}

/** Returns the attributes of a field that name what is said below it. */
export function marksOf({ name, hint, error }: Remarked) {
  const ids = [hint && `${name}-hint`, error && `${name}-wrong`].filter(Boolean);
  return {
    'aria-describedby': ids.join(' ') || undefined,
    'aria-invalid': error === undefined ? undefined : ('true' as const),
  };
}

/** The hint and the error of a field. */
export function Remarks({ name, hint, error }: Remarked) {
  return (
    <>
      {hint === undefined ? null : (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p class="wrong" id={`${name}-wrong`}>
          {sentence(error)}
        </p>
      )}
    </>
  );
}

export function Field({ label, name, type = 'text', value, hint, error, input = {} }: FieldProps) {
  const attributes = { ...input, id: name, name, type, value, ...marksOf({ name, hint, error }) };
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input {...(attributes as InputAttributes)} />
      <Remarks name={name} hint={hint} error={error} />
    </div>
  );
}

export function CapField({ cap, error }: { cap?: string | undefined; error?: string | undefined }) {
  return (
    <Field
      label="Monthly credit cap (optional)"
      name="cap"
      value={cap}
      hint="When the key reaches its cap, searches return 402 until the next month (UTC). Leave empty for no cap."
      error={error}
      input={{ inputMode: 'numeric', autoComplete: 'off' }}
    />
  );
}

export function ExpiryField({
  expires,
  error,
}: {
  expires?: string | undefined;
  error?: string | undefined;
}) {
  return (
    <Field
      label="Last day (optional)"
      name="expires"
      // An invalid day is shown as text, because a date input would show nothing.
      type={error === undefined ? 'date' : 'text'}
      value={expires}
      hint="The key works until this day ends in UTC. Leave empty for a key that does not expire."
      error={error}
    />
  );
}

export interface SelectProps {
  label: string;
  name: string;
  value: string | undefined;
  options: readonly { value: string; label: string }[];
  /** The error of the previous submission. */
  error?: string | undefined;
}

/** Returns options from their labels by value, in their order. */
export function optionsOf(
  labels: Readonly<Record<string, string>>,
): { value: string; label: string }[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

export function Select({ label, name, value, options, error }: SelectProps) {
  const isOffered = value === undefined || options.some((option) => option.value === value);
  // Keep an unknown value from the address visible beside its error.
  const shown = isOffered ? options : [...options, { value, label: value }];
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name} {...marksOf({ name, error })}>
        {shown.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
      <Remarks name={name} error={error} />
    </div>
  );
}

export interface NewPasswordFieldsProps {
  /** The account that password managers store with the password. */
  email: string;
  error?: string | undefined;
}

export function NewPasswordFields({ email, error }: NewPasswordFieldsProps) {
  const input = { required: true, autoComplete: 'new-password' } as const;
  return (
    <>
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <Field
        label="New password"
        name="new_password"
        type="password"
        hint="At least 12 characters. A few unrelated words work well."
        error={error}
        input={input}
      />
      <Field label="Confirm new password" name="new_password_again" type="password" input={input} />
    </>
  );
}
