/** Puts the frame around a page's content and makes an answer of it. */
import { render } from 'preact-render-to-string';
import { readBalanceView } from '../accounts/credit.ts';
import type { HttpAnswer } from '../http/messages.ts';
import { Layout } from './components/layout.tsx';
import type { DashboardParts } from './page/deps.ts';
import type { PageCall } from './page/page.ts';
import type { View } from './page/view.ts';

export function frame(parts: DashboardParts, call: PageCall, view: View): HttpAnswer {
  const { session } = call;
  const customer =
    session === undefined
      ? undefined
      : { ...readBalanceView(parts.accounts, session), formToken: call.formToken() };
  const html = render(
    <Layout
      title={view.title}
      assets={parts.assets}
      path={call.request.path}
      customer={customer}
      isNarrow={view.isNarrow === true}
    >
      {view.main}
    </Layout>,
  );
  return {
    status: view.status ?? 200,
    headers: { 'Content-Type': 'text/html; charset=utf-8', ...view.headers },
    body: `<!doctype html>${html}`,
    ...(view.onSent === undefined ? {} : { onSent: view.onSent }),
  };
}
