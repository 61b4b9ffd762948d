/** GET and POST /dashboard/keys/PREFIX/revoke: asks for confirmation, then revokes a key. */
import { revokeKey } from '../../accounts/customer-keys.ts';
import { PlainLink, Submit } from '../components/button.tsx';
import { Form } from '../components/form.tsx';
import { formatCounted } from '../components/format-values.ts';
import { PageHead } from '../components/page-head.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { keyInUse } from '../page/key-state.ts';
import type { CustomerCall, Reply, View } from '../page/page.ts';
import { redirectTo } from '../page/page-redirects.ts';

/** Throws `not_found` if the customer has no such key, or it is revoked. */
export async function revokeKeyPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  const key = await keyInUse(deps, call);
  return {
    title: 'Revoke a key',
    isNarrow: true,
    main: (
      <>
        <PageHead title={`Revoke “${key.name}”?`}>
          Programs that use this key are rejected immediately. You cannot undo this.
        </PageHead>
        <div class="card">
          <p>
            <code>{key.prefix}</code>, created <Timestamp time={key.createdAt} isDay />,{' '}
            {key.lastUsedAt === null ? (
              'never used'
            ) : (
              <>
                last used <Timestamp time={key.lastUsedAt} />
              </>
            )}
            , {formatCounted(key.thisMonth.requests, 'search', 'searches')} this month.
          </p>
          <Form
            action={`/dashboard/keys/${key.prefix}/revoke`}
            token={call.formToken()}
            class="row"
          >
            <Submit look="danger">Revoke key</Submit>
            <PlainLink href="/dashboard/keys">Keep key</PlainLink>
          </Form>
        </div>
      </>
    ),
  };
}

export async function revokeKeyForm(deps: DashboardDeps, call: CustomerCall): Promise<Reply> {
  const prefix = call.parameters['prefix'] ?? '';
  await revokeKey(deps.accounts, { customerId: call.session.customer.id, prefix });
  return redirectTo('/dashboard/keys?done=revoked');
}
