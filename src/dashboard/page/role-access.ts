/**
 * Which roles may open which pages. A page that is not listed is for owners, so that a new one is never
 * open by mistake. Pure.
 */
import { ROLES, type Role } from '../../accounts/sql/member-rows.ts';

const everyone: readonly Role[] = ROLES;
const developers: readonly Role[] = ['owner', 'developer'];
const payers: readonly Role[] = ['owner', 'billing'];
const owners: readonly Role[] = ['owner'];

/** By the beginning of the path. The longest one counts. Files are for those who may open their page. */
const table: readonly (readonly [path: string, roles: readonly Role[]])[] = [
  ['/dashboard', everyone],
  ['/dashboard/', owners],
  ['/dashboard/keys', developers],
  ['/dashboard/try', developers],
  ['/oauth/authorize', developers],
  ['/dashboard/usage', everyone],
  ['/dashboard/accounting', everyone],
  ['/dashboard/requests', everyone],
  ['/dashboard/billing', payers],
  ['/dashboard/account', everyone],
  ['/dashboard/account/', owners],
  ['/dashboard/account/questions', developers],
  ['/dashboard/account/security', everyone],
  ['/dashboard/account/password', everyone],
  ['/dashboard/account/second-factor', everyone],
  ['/dashboard/account/sessions', everyone],
  ['/dashboard/account/sign-out-everywhere', everyone],
  ['/dashboard/account/leave', everyone],
];

/** Whether a member with a role may open a page and send its forms. */
export function mayOpen(role: Role, path: string): boolean {
  const page = path.replace(/\.(csv|json)$/, '');
  let longest = '';
  let roles = owners;
  for (const [begin, allowed] of table) {
    const isBelow = page === begin || page.startsWith(begin.endsWith('/') ? begin : `${begin}/`);
    if (isBelow && begin.length > longest.length) [longest, roles] = [begin, allowed];
  }
  return roles.includes(role);
}
