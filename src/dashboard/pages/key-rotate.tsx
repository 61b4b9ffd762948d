/** GET and POST /dashboard/keys/PREFIX/rotate: gives a key a new secret. */
import { randomUUID } from 'node:crypto';
import { rotateSecret } from '../../accounts/customer-keys.ts';
import type { OwnKey } from '../../accounts/sql/own-keys.ts';
import { VerbatimError } from '../../errors.ts';
import { PlainLink, Submit } from '../components/button.tsx';
import { Select } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { IDEMPOTENCY_KEY_FIELD } from '../page/forms.ts';
import { keyInUse } from '../page/key-state.ts';
import { type CustomerCall, type Reply, type View, withError } from '../page/page.ts';
import { redirectTo } from '../page/page-redirects.ts';

const HOUR_MS = 3_600_000;

/** How long the old secret may keep working. */
const gracePeriods = [
  { value: '0', label: 'Stops at once', hours: 0 },
  { value: '1h', label: 'Works for one more hour', hours: 1 },
  { value: '24h', label: 'Works for 24 more hours', hours: 24 },
  { value: '7d', label: 'Works for 7 more days', hours: 168 },
  { value: '30d', label: 'Works for 30 more days', hours: 720 },
] as const;

const DEFAULT_GRACE = '24h';

/** Throws `not_found` if the customer has no such key, it is revoked, or it has no secret. */
export async function keyRotatePage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  return rotateView(deps, call, await keyWithSecret(deps, call), DEFAULT_GRACE);
}

/** Throws like `keyRotatePage`, and `form_sent` if the key had this prefix before its last rotation. */
export async function keyRotateForm(deps: DashboardDeps, call: CustomerCall): Promise<Reply> {
  const customerId = call.session.customer.id;
  const selected = call.form.get('grace') ?? '';
  const idempotencyKey = call.form.get(IDEMPOTENCY_KEY_FIELD) ?? randomUUID();
  const grace = gracePeriods.find(({ value }) => value === selected);
  if (grace === undefined) {
    const view = rotateView(deps, call, await keyWithSecret(deps, call), selected);
    return withError(view, new VerbatimError('invalid_field'));
  }
  // A second submission of the same form leads to the first one; at another server it throws.
  const path = await deps.keyForms.run(customerId, idempotencyKey, async () => {
    const prefix = call.parameters['prefix'] ?? '';
    const graceEnds = deps.accounts.now() + grace.hours * HOUR_MS;
    const rotated = await rotateSecret(deps.accounts, { customerId, prefix, graceEnds });
    return `/dashboard/keys/created/${deps.newKeys.put(customerId, rotated)}`;
  });
  return redirectTo(path);
}

/** The key of a client has tokens instead of a secret. */
async function keyWithSecret(deps: DashboardDeps, call: CustomerCall): Promise<OwnKey> {
  const key = await keyInUse(deps, call);
  if (key.client !== null) throw new VerbatimError('not_found');
  return key;
}

function rotateView(deps: DashboardDeps, call: CustomerCall, key: OwnKey, grace: string): View {
  const { oldPrefix, oldSecretEndsAt } = key;
  const hasOld = oldSecretEndsAt !== null && oldSecretEndsAt > deps.accounts.now();
  const isOffered = gracePeriods.some(({ value }) => value === grace);
  return {
    title: 'Rotate a key',
    isNarrow: true,
    main: (
      <>
        <PageHead title={`Rotate “${key.name}”?`}>
          The key gets a new secret and a new hash prefix. Its name, caps, and usage stay. Both
          secrets count toward the same limits while both work.
        </PageHead>
        {hasOld ? (
          <Notice tone="warn">
            <p>
              This key was rotated before, and its earlier secret <code>{oldPrefix}</code> works
              until <Timestamp time={oldSecretEndsAt} />. Rotating again ends that secret at once.
            </p>
          </Notice>
        ) : null}
        <div class="card">
          <Form action={`/dashboard/keys/${key.prefix}/rotate`} token={call.formToken()}>
            <input type="hidden" name={IDEMPOTENCY_KEY_FIELD} value={randomUUID()} />
            <Select
              label={`Current secret, ${key.prefix}`}
              name="grace"
              value={grace}
              error={isOffered ? undefined : 'Choose one of the periods.'}
              options={gracePeriods}
            />
            <div class="row">
              <Submit>Rotate key</Submit>
              <PlainLink href="/dashboard/keys">Cancel</PlainLink>
            </div>
          </Form>
        </div>
      </>
    ),
  };
}
