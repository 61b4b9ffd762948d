/** A field of a form with its label, a hint, and what was wrong with what was entered. */
import type { JSX } from 'preact';

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
