/** When a customer is warned, and what they want on receipts. */
import type { VerbatimError } from '../../errors.ts';
import { Submit } from './button.tsx';
import { Card } from './card.tsx';
import { Field, marksOf, Remarks } from './field.tsx';
import { Form } from './form.tsx';

export interface BillingPreferences {
  /** Credits; empty: no warning. */
  lowBalance: string;
  address: string;
  taxId: string;
}

export interface BillingPreferencesFormProps {
  action: string;
  token: string;
  values: BillingPreferences;
  /** Whether there is a mail server. */
  hasMail: boolean;
  /** The error of the previous submission. */
  error: VerbatimError | undefined;
}

const ROWS = 4;
const MAILED =
  'Owners and members with the role billing get one mail when the balance falls below it, and the dashboard shows a warning until you top up.';
const NOT_MAILED = 'The dashboard shows a warning on every page. This service sends no mail.';
const ADDRESS_HINT =
  'Appears on all receipts, including earlier ones. Leave empty for your e-mail address alone.';

export function BillingPreferencesForm(props: BillingPreferencesFormProps) {
  const { action, token, values, hasMail, error } = props;
  const isAboutCredits = error?.code === 'invalid_field';
  const addressError = isAboutCredits ? undefined : error?.message;
  const remarked = { name: 'address', hint: ADDRESS_HINT, error: addressError };
  return (
    <Card id="preferences-head" title="Warning and receipts">
      <Form action={action} token={token}>
        <Field
          label="Warn me below this many credits"
          name="low_balance"
          value={values.lowBalance}
          hint={`${hasMail ? MAILED : NOT_MAILED} Leave empty for no warning.`}
          error={isAboutCredits ? error.message : undefined}
          input={{ inputMode: 'numeric', autoComplete: 'off' }}
        />
        <div class="field">
          <label for="address">Name and postal address on receipts</label>
          <textarea
            id="address"
            name="address"
            rows={ROWS}
            autocomplete="off"
            {...marksOf(remarked)}
          >
            {values.address}
          </textarea>
          <Remarks {...remarked} />
        </div>
        <Field
          label="Tax number on receipts (optional)"
          name="tax_id"
          value={values.taxId}
          input={{ autoComplete: 'off' }}
        />
        <div>
          <Submit look="plain">Save</Submit>
        </div>
      </Form>
    </Card>
  );
}
