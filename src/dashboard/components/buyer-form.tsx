/** What a customer wants on receipts. */
import type { Buyer } from '../../accounts/sql/buyers.ts';
import { sentence } from './error-view.tsx';
import { Field } from './field.tsx';
import { Form } from './form.tsx';

export interface BuyerFormProps {
  action: string;
  token: string;
  buyer: Buyer;
  /** The error of the previous submission. */
  error: string | undefined;
}

const ROWS = 4;

export function BuyerForm({ action, token, buyer, error }: BuyerFormProps) {
  return (
    <section class="card" aria-labelledby="buyer-head">
      <h2 id="buyer-head">On receipts</h2>
      <Form action={action} token={token}>
        <div class="field">
          <label for="address">Name and postal address</label>
          <textarea
            id="address"
            name="address"
            rows={ROWS}
            autocomplete="off"
            aria-describedby={error === undefined ? 'address-hint' : 'address-hint address-wrong'}
            {...(error === undefined ? {} : { 'aria-invalid': 'true' })}
          >
            {buyer.address}
          </textarea>
          <p class="hint" id="address-hint">
            Appears on all receipts, including earlier ones. Leave empty for your e-mail address
            alone.
          </p>
          {error === undefined ? null : (
            <p class="wrong" id="address-wrong">
              {sentence(error)}
            </p>
          )}
        </div>
        <Field
          label="Tax number (optional)"
          name="tax_id"
          value={buyer.taxId}
          input={{ autoComplete: 'off' }}
        />
        <div>
          <button class="button" type="submit">
            Save address
          </button>
        </div>
      </Form>
    </section>
  );
}
