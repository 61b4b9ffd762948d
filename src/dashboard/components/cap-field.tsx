/** The field for what a key may spend in a month. */
import { Field } from './field.tsx';

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
