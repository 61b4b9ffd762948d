/** Automatic top-up: what a customer agrees to, the saved card, and why it is paused. */
import { randomUUID } from 'node:crypto';
import { formatPrice, writeAmount } from '../../accounts/amounts/price.ts';
import { limitSentence } from '../../accounts/limit-sentence.ts';
import { pauseSentence } from '../../accounts/pause-sentence.ts';
import type { Offer } from '../../accounts/payments/packs.ts';
import { type AutomaticTopUp, isMonthFull } from '../../accounts/sql/top-up-agreements.ts';
import { Submit } from './button.tsx';
import { Card } from './card.tsx';
import { sentence } from './error-view.tsx';
import { Field, marksOf, Remarks, Select } from './field.tsx';
import { Form } from './form.tsx';
import { formatCounted } from './format-values.ts';

/** What was typed, and what is wrong with it. */
export interface TypedTopUp {
  threshold: string;
  credits: string;
  amount: string;
  errors: Partial<Record<'threshold' | 'amount' | 'agree' | 'form', string>>;
}

export interface AutomaticTopUpFormProps {
  /** The path of the form. */
  action: string;
  token: string;
  offer: Offer;
  /** Undefined if it is off. */
  topUp: AutomaticTopUp | undefined;
  typed: TypedTopUp | undefined;
  now: number;
}

export function AutomaticTopUpForm(props: AutomaticTopUpFormProps) {
  const { action, token, topUp, now } = props;
  const hasCard = topUp !== undefined && topUp.card !== null;
  return (
    <Card id="automatic-head" title="Automatic top-up">
      <State topUp={topUp} now={now} />
      <Form action={action} token={token}>
        <Terms {...props} />
        {/* One set-up per form, however often it is sent. */}
        <input type="hidden" name="set_up" value={randomUUID()} />
        <div class="row">
          {hasCard ? (
            <Submit look="plain" name="card" value="keep">
              {topUp.pausedFor === null ? 'Save' : 'Turn on again'}
            </Submit>
          ) : null}
          <Submit look="plain" name="card" value="new">
            {hasCard ? 'Use another card' : 'Save a card'}
          </Submit>
        </div>
      </Form>
      {topUp === undefined ? null : (
        <Form action={`${action}/off`} token={token}>
          <div>
            <Submit look="danger">{hasCard ? 'Turn off and remove the card' : 'Turn off'}</Submit>
          </div>
        </Form>
      )}
    </Card>
  );
}

function State({ topUp, now }: Pick<AutomaticTopUpFormProps, 'topUp' | 'now'>) {
  if (topUp === undefined) {
    return (
      <p class="soft">
        Buys a pack with a saved card when your credit runs low. Stripe saves the card; this service
        does not see its number.
      </p>
    );
  }
  if (topUp.card === null) {
    return (
      <p>
        <span class="badge warn">Not on yet</span> No card is saved. If you have just saved one, it
        shows here soon.
      </p>
    );
  }
  const card = `Card: ${topUp.card.charAt(0).toUpperCase()}${topUp.card.slice(1)}.`;
  if (topUp.pausedFor !== null) {
    return (
      <p>
        <span class="badge warn">Paused</span> {pauseSentence(topUp.pausedFor)} {card}
      </p>
    );
  }
  if (isMonthFull(topUp)) {
    return (
      <p>
        <span class="badge warn">Limit reached</span> {limitSentence(topUp, now)} Until then, buy
        credits yourself, or raise the limit. {card}
      </p>
    );
  }
  const price = (sum: number): string => formatPrice(sum, topUp.currency);
  return (
    <p>
      <span class="badge good">On</span> {card} Bought this month: {price(topUp.amountOfMonth)} of
      at most {price(topUp.amountPerMonthMax)}.
    </p>
  );
}

function Terms({ offer, topUp, typed }: AutomaticTopUpFormProps) {
  const { packs, currency } = offer;
  const amount = topUp && writeAmount(topUp.amountPerMonthMax, topUp.currency);
  const errors = typed?.errors ?? {};
  const agreeing = { name: 'agree', error: errors.agree };
  return (
    <>
      {errors.form === undefined ? null : <p class="wrong">{sentence(errors.form)}</p>}
      <Field
        label="When the balance falls below"
        name="threshold"
        value={typed?.threshold ?? (topUp === undefined ? '' : String(topUp.threshold))}
        error={errors.threshold}
        input={{ inputMode: 'numeric', autoComplete: 'off', required: true }}
      />
      <Select
        label="Buy"
        name="pack"
        value={typed?.credits ?? (topUp === undefined ? undefined : String(topUp.credits))}
        options={packs.map((pack) => ({
          value: String(pack.credits),
          label: `${formatCounted(pack.credits, 'credit')} for ${formatPrice(pack.amount, currency)}`,
        }))}
      />
      <Field
        label={`Monthly limit, in ${currency.toUpperCase()}`}
        name="month_max"
        value={typed?.amount ?? amount ?? ''}
        hint="For automatic purchases in a calendar month (UTC)."
        error={errors.amount}
        input={{ autoComplete: 'off', required: true }}
      />
      <div class="field">
        <label class="box">
          <input type="checkbox" name="agree" value="yes" required {...marksOf(agreeing)} />
          <span>
            Charge my card for these purchases without asking me each time, until I turn this off.
          </span>
        </label>
        <Remarks {...agreeing} />
      </div>
    </>
  );
}
