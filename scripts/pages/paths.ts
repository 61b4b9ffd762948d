/** The pages that are timed and pictured: all that can be read again and again. */
import type { Filled } from './fill-database.ts';

export interface ShownPage {
  path: string;
  isOfVisitor: boolean;
}

const visitorPaths = ['/', '/docs', '/dashboard/sign-in', '/operator/sign-in'];

/** Returns the pages of visitors, of the customer, and of the operator. */
export function shownPages({ prefix, orderId, customerId }: Filled): ShownPage[] {
  const accountPaths = ['', '/security', '/members', '/data', '/delete', '/leave'];
  const filters = ['status=failed', 'status=402', 'path=/v1/verify', `key=${prefix}`];
  const dashboard = [
    ...['', '/try', '/try/references', '/keys', `/keys/${prefix}/edit`],
    ...['/usage', '/usage?days=365', '/requests'],
    ...filters.map((filter) => `/requests?${filter}`),
    ...['/accounting', '/billing', `/billing/${orderId}/receipt`],
    ...accountPaths.map((path) => `/account${path}`),
  ];
  const operator = [
    ...['', '/customers', '/customers?text=customer-7', '/customers?order=balance'],
    ...['/requests', `/customers/${customerId}/requests?status=failed`],
    ...[`/customers/${customerId}`, `/keys/${prefix}`, '/money', '/money/audits', '/index'],
    ...['/questions', '/explain', '/alerts', '/trail', '/account'],
    ...[`/customers/${customerId}/refunds`, `/customers/${customerId}/disable`],
  ];
  const paths = [
    ...dashboard.map((path) => `/dashboard${path}`),
    ...operator.map((path) => `/operator${path}`),
  ];
  return [
    ...visitorPaths.map((path) => ({ path, isOfVisitor: true })),
    ...paths.map((path) => ({ path, isOfVisitor: false })),
  ];
}
