/** A field of a form with its label, a hint, and what was wrong with what was entered. */

import type { JSX } from 'preact';
import { sentence } from './error-view.tsx';

export interface FieldProps {
  label: string;
  name: string;
  type?: 'text' | 'email' | 'password' | 'search' | 'date';
  value?: string | undefined;
  hint?: string;
  /** What was wrong with it; the form was sent in vain. */
  wrong?: string | undefined;
  input?: InputOptions;
}

/** Its type has a member for each kind of input; a field is one of several. */
type InputAttributes = JSX.IntrinsicElements['input'];

interface InputOptions {
  required?: boolean;
  maxLength?: number;
  inputMode?: 'numeric';
  autoComplete?: 'off' | 'email' | 'username' | 'current-password' | 'new-password';
}

export function Field({ label, name, type = 'text', value, hint, wrong, input = {} }: FieldProps) {
  const describedBy = [
    hint === undefined ? '' : `${name}-hint`,
    wrong === undefined ? '' : `${name}-wrong`,
  ].filter((id) => id !== '');
  const attributes = {
    ...input,
    id: name,
    name,
    type,
    ...(value === undefined ? {} : { value }),
    ...(describedBy.length > 0 ? { 'aria-describedby': describedBy.join(' ') } : {}),
    ...(wrong === undefined ? {} : { 'aria-invalid': 'true' }),
  };
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input {...(attributes as InputAttributes)} />
      {hint === undefined ? null : (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {wrong === undefined ? null : (
        <p class="wrong" id={`${name}-wrong`}>
          {wrong}
        </p>
      )}
    </div>
  );
}

export function CapField({ cap, wrong }: { cap?: string | undefined; wrong?: string | undefined }) {
  return (
    <Field
      label="Credits a month at most (optional)"
      name="cap"
      value={cap}
      hint="Beyond it the key is answered with 402 until the next month (UTC). Empty: no cap."
      wrong={wrong}
      input={{ inputMode: 'numeric', autoComplete: 'off' }}
    />
  );
}

/** A choice of one among a few, with its label. */
export interface SelectProps {
  label: string;
  name: string;
  value: string | undefined;
  options: readonly { value: string; label: string }[];
  /** What was wrong with what was chosen. */
  wrong?: string | undefined;
}

export function Select({ label, name, value, options, wrong }: SelectProps) {
  const isOffered = value === undefined || options.some((option) => option.value === value);
  // What came by an address is kept, so that it can be seen what was wrong with it.
  const shown = isOffered ? options : [...options, { value, label: value }];
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select
        id={name}
        name={name}
        {...(wrong === undefined
          ? {}
          : { 'aria-invalid': 'true', 'aria-describedby': `${name}-wrong` })}
      >
        {shown.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
      {wrong === undefined ? null : (
        <p class="wrong" id={`${name}-wrong`}>
          {wrong}
        </p>
      )}
    </div>
  );
}

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
