/** The balance below which a customer is warned. */
import { Submit } from './button.tsx';
import { Card } from './card.tsx';
import { Field } from './field.tsx';
import { Form } from './form.tsx';

export interface LowBalanceFormProps {
  action: string;
  token: string;
  lowBalance: number | null;
  /** Whether there is a mail server. */
  hasMail: boolean;
  /** The rejected input and the reason. */
  error: EntryError | undefined;
}

export interface EntryError {
  text: string;
  message: string;
}

export function LowBalanceForm({ action, token, lowBalance, hasMail, error }: LowBalanceFormProps) {
  return (
    <Card id="warning-head" title="Low-credit warning">
      <Form action={action} token={token}>
        <Field
          label="Warn me below this many credits"
          name="low_balance"
          value={error?.text ?? (lowBalance === null ? '' : String(lowBalance))}
          hint={`${hasMail ? MAILED : NOT_MAILED} Leave empty for no warning.`}
          error={error?.message}
          input={{ inputMode: 'numeric', autoComplete: 'off' }}
        />
        <div>
          <Submit>Save</Submit>
        </div>
      </Form>
    </Card>
  );
}

const MAILED =
  'Owners and members with the role billing get one mail when the balance falls below it, and the dashboard shows a warning until you top up.';
const NOT_MAILED = 'The dashboard shows a warning on every page. This service sends no mail.';
