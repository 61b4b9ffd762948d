/** Renders a view inside the page frame, as a response. */
import type { VNode } from 'preact';
import { readBalanceView } from '../accounts/credit.ts';
import { readContact } from '../accounts/operator-contact.ts';
import type { HttpResponse } from '../http/messages.ts';
import { ClockContext, createClock } from './components/clock.ts';
import { Layout } from './components/layout.tsx';
import { RoleContext } from './components/role-link.tsx';
import type { DashboardDeps } from './page/dashboard-deps.ts';
import type { PageCall, View } from './page/page.ts';
import { renderDocument } from './page/render-document.ts';

export async function frame(
  deps: DashboardDeps,
  call: PageCall,
  view: View,
): Promise<HttpResponse> {
  const { session } = call;
  const customer =
    session === undefined
      ? undefined
      : {
          ...(view.balance ?? (await readBalanceView(deps.accounts, session))),
          accountName: session.customer.name,
          formToken: call.formToken(),
          role: session.member.role,
        };
  return htmlResponse(
    view,
    <Layout
      title={view.title}
      description={view.description}
      assets={deps.assets}
      path={call.request.path}
      customer={customer}
      isNarrow={view.isNarrow === true}
      contact={readContact(deps.accounts.settings)}
    >
      <ClockContext.Provider value={createClock(session?.customer.timeZone ?? 'UTC')}>
        <RoleContext.Provider value={session?.member.role ?? 'owner'}>
          {view.main}
        </RoleContext.Provider>
      </ClockContext.Provider>
    </Layout>,
  );
}

/** Renders a view inside of its document. */
export function htmlResponse(view: View, document: VNode): HttpResponse {
  return {
    status: view.status ?? 200,
    headers: { 'Content-Type': 'text/html; charset=utf-8', ...view.headers },
    body: renderDocument(document),
    ...(view.onSent === undefined ? {} : { onSent: view.onSent }),
  };
}
