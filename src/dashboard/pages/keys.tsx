/** GET and POST /dashboard/keys: lists and creates keys. */
import { randomUUID } from 'node:crypto';
import { parseCredits } from '../../accounts/amounts/credits.ts';
import { createKey, listCustomerKeys, NAME_CHARACTERS_MAX } from '../../accounts/customer-keys.ts';
import { isRevoked } from '../../accounts/sql/api-keys.ts';
import type { OwnKey } from '../../accounts/sql/own-keys.ts';
import { VerbatimError } from '../../errors.ts';
import type { HttpResponse } from '../../http/messages.ts';
import { Empty } from '../components/empty.tsx';
import { sentence } from '../components/error-view.tsx';
import { CapField, ExpiryField, Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { KeyActions, KeyTable } from '../components/key-table.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { CREDITS_ADVICE, expectedErrorOf, IDEMPOTENCY_KEY_FIELD } from '../page/forms.ts';
import { readExpiry } from '../page/key-expiry.ts';
import { type CustomerCall, type View, withError } from '../page/page.ts';
import { redirectTo } from '../page/page-redirects.ts';

const notes: Readonly<Record<string, string>> = {
  revoked: 'The key was revoked and no longer works.',
  cap: 'The cap was saved.',
  lanes: 'The lanes were saved.',
  edited: 'The key was saved.',
};

/** The form's input and its errors. */
interface Entered {
  name?: string;
  cap?: string;
  expires?: string;
  errors?: { name?: string; cap?: string; expires?: string };
}

export async function keysPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  return await keysView(deps, call, {});
}

export async function createKeyForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  const name = (call.form.get('name') ?? '').trim();
  const cap = (call.form.get('cap') ?? '').trim();
  const expires = (call.form.get('expires') ?? '').trim();
  const expiry = readExpiry(expires, deps.accounts.now());
  const errors = checkKey(name, cap, expiry);
  if (errors !== undefined || 'error' in expiry) {
    const view = await keysView(deps, call, { name, cap, expires, errors: errors ?? {} });
    return withError(view, new VerbatimError('invalid_field'));
  }
  const customerId = call.session.customer.id;
  const creditsPerMonthMax = cap === '' ? null : Number(cap);
  try {
    const idempotencyKey = call.form.get(IDEMPOTENCY_KEY_FIELD) ?? randomUUID();
    const path = await deps.keyForms.run(customerId, idempotencyKey, async () => {
      const { expiresAt } = expiry;
      const input = {
        customerId,
        name,
        creditsPerMonthMax,
        expiresAt,
        idempotencyKey: idempotencyKey,
      };
      const created = await createKey(deps.accounts, input);
      // Between this response and the page that shows it, the secret exists only in memory.
      return `/dashboard/keys/created/${deps.newKeys.put(customerId, created)}`;
    });
    return redirectTo(path);
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    const entered = { name, cap, expires, errors: { name: sentence(expectedError.message) } };
    return withError(await keysView(deps, call, entered), expectedError);
  }
}

function checkKey(
  name: string,
  cap: string,
  expiry: ReturnType<typeof readExpiry>,
): Entered['errors'] | undefined {
  const nameError = name === '' ? 'Enter a name.' : undefined;
  const capError = cap === '' || parseCredits(cap) !== undefined ? undefined : CREDITS_ADVICE;
  const isRight = nameError === undefined && capError === undefined && !('error' in expiry);
  if (isRight) return undefined;
  return {
    ...(nameError === undefined ? {} : { name: nameError }),
    ...(capError === undefined ? {} : { cap: capError }),
    ...('error' in expiry ? { expires: expiry.error } : {}),
  };
}

async function keysView(deps: DashboardDeps, call: CustomerCall, entered: Entered): Promise<View> {
  const now = deps.accounts.now();
  const keys = await listCustomerKeys(deps.accounts, call.session.customer.id);
  const isEnded = (key: OwnKey): boolean => isRevoked(key, now);
  const inUse = keys.filter((key) => !isEnded(key));
  const limits = deps.service.settings;
  const note = notes[call.query.get('done') ?? ''];
  const ended = keys.filter(isEnded);
  return {
    title: 'Keys',
    main: (
      <>
        <PageHead title="Keys">
          Programs search with a key. All keys share your credit. A monthly cap restricts a single
          key. Clients that you connected have keys, too; to disconnect one, revoke its key.
        </PageHead>
        {note === undefined ? null : (
          <Notice tone="good">
            <p>{note}</p>
          </Notice>
        )}
        <div class="split">
          <CreateForm token={call.formToken()} entered={entered} />
          <Lost />
        </div>
        {inUse.length === 0 ? (
          <Empty title="No keys yet">
            <p>
              Create your first key above. Its secret is shown only once, so be ready to save it.
            </p>
          </Empty>
        ) : (
          <section class="card" aria-labelledby="active-keys">
            <h2 id="active-keys">Active keys</h2>
            <KeyTable
              caption="Active keys"
              keys={inUse}
              now={now}
              limits={limits}
              actions={(key) => <KeyActions key={key.prefix} apiKey={key} />}
            />
          </section>
        )}
        {ended.length === 0 ? null : (
          <details>
            <summary>Revoked and expired keys ({ended.length})</summary>
            <div class="card">
              <KeyTable caption="Revoked and expired keys" keys={ended} now={now} limits={limits} />
            </div>
          </details>
        )}
      </>
    ),
  };
}

function CreateForm({ token, entered }: { token: string; entered: Entered }) {
  return (
    <section class="card" aria-labelledby="create-key">
      <h2 id="create-key">Create a key</h2>
      <Form action="/dashboard/keys" token={token}>
        <input type="hidden" name={IDEMPOTENCY_KEY_FIELD} value={randomUUID()} />
        <Field
          label="Name"
          name="name"
          value={entered.name}
          hint="The program, machine, or person that uses the key."
          error={entered.errors?.name}
          input={{ required: true, maxLength: NAME_CHARACTERS_MAX, autoComplete: 'off' }}
        />
        <CapField cap={entered.cap} error={entered.errors?.cap} />
        <ExpiryField expires={entered.expires} error={entered.errors?.expires} />
        <div>
          <button class="button" type="submit">
            Create key
          </button>
        </div>
      </Form>
    </section>
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
