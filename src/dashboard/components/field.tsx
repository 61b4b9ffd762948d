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
  wrong?: string | undefined;
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
      label="Monthly credit cap (optional)"
      name="cap"
      value={cap}
      hint="When the key reaches its cap, searches return 402 until the next month (UTC). Leave empty for no cap."
      wrong={wrong}
      input={{ inputMode: 'numeric', autoComplete: 'off' }}
    />
  );
}

export function ExpiryField({
  expires,
  wrong,
}: {
  expires?: string | undefined;
  wrong?: string | undefined;
}) {
  return (
    <Field
      label="Last day (optional)"
      name="expires"
      // An invalid day is shown as text, because a date input would show nothing.
      type={wrong === undefined ? 'date' : 'text'}
      value={expires}
      hint="The key works until this day ends in UTC. Leave empty for a key that does not expire."
      wrong={wrong}
    />
  );
}

export interface SelectProps {
  label: string;
  name: string;
  value: string | undefined;
  options: readonly { value: string; label: string }[];
  /** The error of the previous submission. */
  wrong?: string | undefined;
}

/** Returns options from their labels by value, in their order. */
export function optionsOf(
  labels: Readonly<Record<string, string>>,
): { value: string; label: string }[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

export function Select({ label, name, value, options, wrong }: SelectProps) {
  const isOffered = value === undefined || options.some((option) => option.value === value);
  // Keep an unknown value from the address visible beside its error.
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
  /** The account that password managers store with the password. */
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
        hint="At least 12 characters. A few unrelated words work well."
        wrong={wrong === undefined ? undefined : sentence(wrong)}
        input={input}
      />
      <Field label="Confirm new password" name="new_password_again" type="password" input={input} />
    </>
  );
}
