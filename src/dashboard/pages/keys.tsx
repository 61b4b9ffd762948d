/** GET and POST /dashboard/keys: lists and creates keys. */
import { randomUUID } from 'node:crypto';
import { parseCredits } from '../../accounts/amounts/credits.ts';
import { readBalanceView } from '../../accounts/credit.ts';
import { createKey, listCustomerKeys, NAME_CHARACTERS_MAX } from '../../accounts/customer-keys.ts';
import { VerbatimError } from '../../errors.ts';
import { Submit } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { CreditNotice } from '../components/credit-notice.tsx';
import { Empty } from '../components/empty.tsx';
import { CapField, ExpiryField, Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { KeyList } from '../components/key-list.tsx';
import { Message } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import {
  CREDITS_ADVICE,
  formHandler,
  IDEMPOTENCY_KEY_FIELD,
  readOptionalCredits,
  typed,
} from '../page/forms.ts';
import { readExpiry } from '../page/key-expiry.ts';
import { readKeyPage } from '../page/key-page.ts';
import type { CustomerCall, View } from '../page/page.ts';
import { redirectTo } from '../page/page-redirects.ts';

const notes: Readonly<Record<string, string>> = {
  revoked: 'The key was revoked and no longer works.',
  edited: 'The key was saved.',
};

/** What is wrong with a new key. */
type KeyErrors = Partial<Record<'name' | 'cap' | 'expires', string | undefined>>;

function keyErrorsOf(call: CustomerCall, now: number): KeyErrors {
  const errors: KeyErrors = {};
  const cap = typed(call, 'cap');
  const expiry = readExpiry(typed(call, 'expires'), now);
  if (typed(call, 'name') === '') errors.name = 'Enter a name.';
  if (cap !== '' && parseCredits(cap) === undefined) errors.cap = CREDITS_ADVICE;
  if ('error' in expiry) errors.expires = expiry.error;
  return errors;
}

export const createKeyForm = formHandler(keysPage, async (deps, call) => {
  const now = deps.accounts.now();
  const expiry = readExpiry(typed(call, 'expires'), now);
  if ('error' in expiry || Object.keys(keyErrorsOf(call, now)).length > 0) {
    throw new VerbatimError('invalid_field');
  }
  const customerId = call.session.customer.id;
  const idempotencyKey = call.form.get(IDEMPOTENCY_KEY_FIELD) ?? randomUUID();
  const path = await deps.keyForms.run(customerId, idempotencyKey, async () => {
    const created = await createKey(deps.accounts, {
      customerId,
      name: typed(call, 'name'),
      creditsPerMonthMax: readOptionalCredits(typed(call, 'cap')),
      expiresAt: expiry.expiresAt,
      idempotencyKey,
    });
    // Between this response and the page that shows it, the secret exists only in memory.
    return `/dashboard/keys/created/${deps.newKeys.put(customerId, created)}`;
  });
  return redirectTo(path);
});

export async function keysPage(
  deps: DashboardDeps,
  call: CustomerCall,
  error?: VerbatimError,
): Promise<View> {
  const now = deps.accounts.now();
  const balance = await readBalanceView(deps.accounts, call.session);
  const keys = await listCustomerKeys(deps.accounts, call.session.customer.id);
  const limits = deps.service.settings;
  const { keysPerPage } = deps.accounts.settings;
  const list = readKeyPage(keys, call.query, { now, keysPerPage });
  const note = notes[call.query.get('done') ?? ''];
  return {
    title: 'Keys',
    balance,
    main: (
      <>
        <PageHead title="Keys">
          Programs search with a key. All keys share your credit. A monthly cap restricts a single
          key. Clients that you connected have keys, too; to disconnect one, revoke its key.
        </PageHead>
        <CreditNotice {...balance} />
        <Message tone="good" text={note} />
        <div class="split">
          <CreateForm call={call} error={error} now={now} />
          <Lost />
        </div>
        {keys.length === 0 ? (
          <Empty title="No keys yet">
            <p>
              Create your first key above. Its secret is shown only once, so be ready to save it.
            </p>
          </Empty>
        ) : (
          <KeyList list={list} now={now} limits={limits} />
        )}
      </>
    ),
  };
}

interface CreateFormProps {
  call: CustomerCall;
  error: VerbatimError | undefined;
  now: number;
}

function CreateForm({ call, error, now }: CreateFormProps) {
  const errors =
    error?.code === 'invalid_field' ? keyErrorsOf(call, now) : { name: error?.message };
  const entered = (name: string): string | undefined =>
    error === undefined ? undefined : typed(call, name);
  return (
    <Card id="create-key" title="Create a key">
      <Form action="/dashboard/keys" token={call.formToken()}>
        <input type="hidden" name={IDEMPOTENCY_KEY_FIELD} value={randomUUID()} />
        <Field
          label="Name"
          name="name"
          value={entered('name')}
          hint="The program, machine, or person that uses the key."
          error={errors.name}
          input={{ required: true, maxLength: NAME_CHARACTERS_MAX, autoComplete: 'off' }}
        />
        <CapField cap={entered('cap')} error={errors.cap} />
        <ExpiryField expires={entered('expires')} error={errors.expires} />
        <div>
          <Submit>Create key</Submit>
        </div>
      </Form>
    </Card>
  );
}

function Lost() {
  return (
    <section class="stack" aria-labelledby="lost-key">
      <h2 id="lost-key">Lost a secret?</h2>
      <p class="soft">
        Only the hash of a secret is stored, so it cannot be shown again. Rotate the key to get a
        new secret. The old one can keep working for a while, so that nothing breaks.
      </p>
      <p class="soft">
        If someone else may have the secret, rotate the key and let the old secret stop at once, or
        revoke the key.
      </p>
    </section>
  );
}
