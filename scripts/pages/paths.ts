/** The pages that are timed: all that can be read again and again. */
import type { Filled } from './fill-database.ts';

/** Of a visitor. */
const visitorPaths = ['/', '/docs', '/dashboard/sign-in', '/operator/sign-in'];

const accountPaths = ['', '/security', '/members', '/data', '/delete', '/leave'];

export interface TimedPage {
  path: string;
  isOfVisitor: boolean;
}

export function timedPages(filled: Filled): TimedPage[] {
  const of = (isOfVisitor: boolean) => (path: string) => ({ path, isOfVisitor });
  return [
    ...visitorPaths.map(of(true)),
    ...customerPaths(filled).map(of(false)),
    ...operatorPaths(filled).map(of(false)),
  ];
}

function customerPaths({ prefix, orderId }: Filled): string[] {
  return [
    ...['/dashboard', '/dashboard/try', '/dashboard/keys', `/dashboard/keys/${prefix}/edit`],
    ...['/dashboard/usage', '/dashboard/usage?days=365', '/dashboard/activity'],
    ...['outcome=refunded', 'outcome=free', 'kind=verify', `key=${prefix}`].map(
      (filter) => `/dashboard/activity?${filter}`,
    ),
    ...['/dashboard/activity/accounting', '/dashboard/billing'],
    `/dashboard/billing/${orderId}/receipt`,
    ...accountPaths.map((path) => `/dashboard/account${path}`),
  ];
}

function operatorPaths({ customerId, prefix }: Filled): string[] {
  return [
    ...['/operator', '/operator/customers', '/operator/customers?text=customer-7'],
    ...['/operator/customers?order=balance', `/operator/customers/${customerId}`],
    ...[`/operator/keys/${prefix}`, '/operator/money', '/operator/money/audits'],
    ...['/operator/index', '/operator/questions', '/operator/explain', '/operator/trail'],
    '/operator/account',
  ];
}
