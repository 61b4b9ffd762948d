/** What a customer wants on receipts. */
import type { Buyer } from '../../accounts/sql/buyers.ts';
import { Submit } from './button.tsx';
import { Card } from './card.tsx';
import { Field, marksOf, Remarks } from './field.tsx';
import { Form } from './form.tsx';

export interface BuyerFormProps {
  action: string;
  token: string;
  buyer: Buyer;
  /** The error of the previous submission. */
  error: string | undefined;
}

const ROWS = 4;

const HINT =
  'Appears on all receipts, including earlier ones. Leave empty for your e-mail address alone.';

export function BuyerForm({ action, token, buyer, error }: BuyerFormProps) {
  const remarked = { name: 'address', hint: HINT, error };
  return (
    <Card id="buyer-head" title="On receipts">
      <Form action={action} token={token}>
        <div class="field">
          <label for="address">Name and postal address</label>
          <textarea
            id="address"
            name="address"
            rows={ROWS}
            autocomplete="off"
            {...marksOf(remarked)}
          >
            {buyer.address}
          </textarea>
          <Remarks {...remarked} />
        </div>
        <Field
          label="Tax number (optional)"
          name="tax_id"
          value={buyer.taxId}
          input={{ autoComplete: 'off' }}
        />
        <div>
          <Submit>Save address</Submit>
        </div>
      </Form>
    </Card>
  );
}
