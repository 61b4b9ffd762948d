/** GET and POST /dashboard/keys: lists and creates keys. */
import { randomUUID } from 'node:crypto';
import { createKey, listCustomerKeys, NAME_CHARACTERS_MAX } from '../../accounts/customer-keys.ts';
import { parseCredits } from '../../credits.ts';
import { VerbatimError } from '../../errors.ts';
import type { HttpResponse } from '../../http/messages.ts';
import type { OwnKey } from '../../store/accounts/api-keys.ts';
import { Empty } from '../components/empty.tsx';
import { sentence } from '../components/error-view.tsx';
import { CapField, Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { KeyTable } from '../components/key-table.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { CREDITS_ADVICE, expectedErrorOf, FORM_COPY_FIELD } from '../page/forms.ts';
import { keyState } from '../page/key-state.ts';
import { type CustomerCall, type View, withError } from '../page/page.ts';
import { redirectTo } from '../page/redirects.ts';

const notes: Readonly<Record<string, string>> = {
  revoked: 'The key was revoked and no longer works.',
  cap: 'The cap was saved.',
  lanes: 'The lanes were saved.',
};

/** The form's input and its errors. */
interface Entered {
  name?: string;
  cap?: string;
  wrong?: { name?: string; cap?: string };
}

export function keysPage(deps: DashboardDeps, call: CustomerCall): View {
  return keysView(deps, call, {});
}

export async function createKeyForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  const name = (call.form.get('name') ?? '').trim();
  const cap = (call.form.get('cap') ?? '').trim();
  const wrong = checkKey(name, cap);
  if (wrong !== undefined) {
    const view = keysView(deps, call, { name, cap, wrong });
    return withError(view, new VerbatimError('invalid_field'));
  }
  const customerId = call.session.customer.id;
  const creditsPerMonthMax = cap === '' ? null : Number(cap);
  try {
    const copy = call.form.get(FORM_COPY_FIELD) ?? randomUUID();
    const path = await deps.keyForms.run(customerId, copy, async () => {
      const created = await createKey(deps.accounts, { customerId, name, creditsPerMonthMax });
      // Between this response and the page that shows it, the secret exists only in memory.
      return `/dashboard/keys/created/${deps.newKeys.put(customerId, created)}`;
    });
    return redirectTo(path);
  } catch (error) {
    const told = expectedErrorOf(error);
    const entered = { name, cap, wrong: { name: sentence(told.message) } };
    return withError(keysView(deps, call, entered), told);
  }
}

function checkKey(name: string, cap: string): Entered['wrong'] | undefined {
  const wrongName = name === '' ? 'Enter a name.' : undefined;
  const wrongCap = cap === '' || parseCredits(cap) !== undefined ? undefined : CREDITS_ADVICE;
  if (wrongName === undefined && wrongCap === undefined) return undefined;
  return {
    ...(wrongName === undefined ? {} : { name: wrongName }),
    ...(wrongCap === undefined ? {} : { cap: wrongCap }),
  };
}

function keysView(deps: DashboardDeps, call: CustomerCall, entered: Entered): View {
  const now = deps.accounts.now();
  const keys = listCustomerKeys(deps.accounts, call.session.customer.id);
  const isEnded = (key: OwnKey): boolean => keyState(key, now) === 'revoked';
  const inUse = keys.filter((key) => !isEnded(key));
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
        {inUse.length === 0 ? (
          <Empty title="No keys yet">
            <p>
              Create your first key below. Its secret is shown only once, so be ready to save it.
            </p>
          </Empty>
        ) : (
          <section class="card" aria-labelledby="active-keys">
            <h2 id="active-keys">Active keys</h2>
            <KeyTable caption="Active keys" keys={inUse} now={now} hasActions />
          </section>
        )}
        <div class="split">
          <CreateForm token={call.formToken()} entered={entered} />
          <Lost />
        </div>
        {ended.length === 0 ? null : (
          <details>
            <summary>Revoked keys ({ended.length})</summary>
            <div class="card">
              <KeyTable caption="Revoked keys" keys={ended} now={now} />
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
        <input type="hidden" name={FORM_COPY_FIELD} value={randomUUID()} />
        <Field
          label="Name"
          name="name"
          value={entered.name}
          hint="The program, machine or person that uses the key."
          wrong={entered.wrong?.name}
          input={{ required: true, maxLength: NAME_CHARACTERS_MAX, autoComplete: 'off' }}
        />
        <CapField cap={entered.cap} wrong={entered.wrong?.cap} />
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
        Only the hash of a secret is stored, so it cannot be shown again. Support can rotate the
        key: send them the hash prefix, which stands below its name, and they replace the key with a
        new one of the same name and limits. The old key can keep working for a while, so nothing
        stops.
      </p>
      <p class="soft">
        Or create another key, switch to it, and revoke the lost one. If someone else may have the
        secret, revoke the key immediately.
      </p>
    </section>
  );
}
