/** The table of pages by path. */
import { tablePages } from './page/download.ts';
import type { Page } from './page/page.ts';
import { dataPage, exportPage } from './pages/account/data.tsx';
import { deleteForm, deletePage } from './pages/account/delete.tsx';
import { accountPage, profileForm, questionsForm } from './pages/account/general.tsx';
import { leaveForm, leavePage } from './pages/account/leave.tsx';
import {
  inviteAgainForm,
  memberPage,
  removeMemberForm,
  setRoleForm,
} from './pages/account/member.tsx';
import { invitedPage, inviteForm, membersPage } from './pages/account/members.tsx';
import {
  newCodesForm,
  newCodesPage,
  turnOffForm,
  turnOffPage,
} from './pages/account/second-factor.tsx';
import {
  recoveryCodesPage,
  setUpForm,
  setUpPage,
  startSetUpForm,
} from './pages/account/second-factor-set-up.tsx';
import {
  changePasswordForm,
  securityPage,
  signOutEverywhereForm,
  signOutOneForm,
} from './pages/account/security.tsx';
import { accountingFile, accountingPage } from './pages/accounting.tsx';
import { authorizeForm, authorizePage } from './pages/authorize.tsx';
import { automaticForm, automaticOffForm } from './pages/billing/automatic.ts';
import {
  billingPage,
  buyForm,
  cancelForm,
  continueForm,
  paymentsFile,
} from './pages/billing/billing.tsx';
import { preferencesForm } from './pages/billing/preferences.ts';
import { receiptPage } from './pages/billing/receipt.tsx';
import { statementFile, statementPage } from './pages/billing/statement.tsx';
import { docsPage } from './pages/docs.tsx';
import {
  llmsTextPage,
  openApiPage,
  robotsTextPage,
  securityTextPage,
} from './pages/for-programs.ts';
import { frontPage } from './pages/front.tsx';
import { keyCreatedPage } from './pages/key-created.tsx';
import { keyEditForm, keyEditPage } from './pages/key-edit.tsx';
import { revokeKeyForm, revokeKeyPage } from './pages/key-revoke.tsx';
import { keyRotateForm, keyRotatePage } from './pages/key-rotate.tsx';
import { createKeyForm, keysPage } from './pages/keys.tsx';
import { linkForm, linkPage } from './pages/link.tsx';
import { overviewPage } from './pages/overview.tsx';
import { registerForm, registerPage } from './pages/register.tsx';
import { requestPage } from './pages/request.tsx';
import { requestsFile, requestsPage } from './pages/requests.tsx';
import { resetForm, resetPage } from './pages/reset-password.tsx';
import { signInForm, signInPage, signOutForm } from './pages/sign-in.tsx';
import { signInCodeForm, signInCodePage } from './pages/sign-in-code.tsx';
import { tryForm, tryPage } from './pages/try.tsx';
import { tryReferencesForm, tryReferencesPage } from './pages/try-references.tsx';
import { tryResultPage } from './pages/try-result.tsx';
import { usageFile, usagePage } from './pages/usage.tsx';

export const pages: readonly Page[] = [
  ...forEverybody({
    '/': { get: frontPage },
    '/docs': { get: docsPage },
    '/openapi.json': { get: openApiPage },
    '/llms.txt': { get: llmsTextPage },
    '/robots.txt': { get: robotsTextPage },
    '/.well-known/security.txt': { get: securityTextPage },
    '/dashboard/sign-in': { get: signInPage, post: signInForm },
    '/dashboard/sign-in/code': { get: signInCodePage, post: signInCodeForm },
    '/dashboard/sign-out': { post: signOutForm },
    '/dashboard/link': { get: linkPage, post: linkForm },
    '/dashboard/reset-password': { get: resetPage, post: resetForm },
    '/dashboard/register': { get: registerPage, post: registerForm },
  }),
  ...forCustomers({
    '/dashboard': { get: overviewPage },
    '/dashboard/keys': { get: keysPage, post: createKeyForm },
    '/dashboard/keys/created/:name': { get: keyCreatedPage },
    '/dashboard/keys/:prefix/edit': { get: keyEditPage, post: keyEditForm },
    '/dashboard/keys/:prefix/rotate': { get: keyRotatePage, post: keyRotateForm },
    '/dashboard/keys/:prefix/revoke': { get: revokeKeyPage, post: revokeKeyForm },
    '/dashboard/usage': { get: usagePage },
    ...tablePages('/dashboard/usage', usageFile),
    '/dashboard/requests': { get: requestsPage },
    ...tablePages('/dashboard/requests', requestsFile),
    '/dashboard/requests/:id': { get: requestPage },
    '/dashboard/accounting': { get: accountingPage },
    ...tablePages('/dashboard/accounting', accountingFile),
    '/dashboard/billing': { get: billingPage, post: buyForm },
    '/dashboard/billing/automatic': { post: automaticForm },
    '/dashboard/billing/automatic/off': { post: automaticOffForm },
    '/dashboard/billing/preferences': { post: preferencesForm },
    ...tablePages('/dashboard/billing/payments', paymentsFile),
    '/dashboard/billing/statements/:month': { get: statementPage },
    ...tablePages('/dashboard/billing/statements/:month/statement', statementFile),
    '/dashboard/billing/:order/continue': { post: continueForm },
    '/dashboard/billing/:order/cancel': { post: cancelForm },
    '/dashboard/billing/:order/receipt': { get: receiptPage },
    '/dashboard/try': { get: tryPage, post: tryForm },
    '/dashboard/try/references': {
      get: tryReferencesPage,
      post: tryReferencesForm,
      formBytesMax: ({ textFormBytesMax }) => textFormBytesMax,
    },
    '/dashboard/try/:name': { get: tryResultPage },
    '/dashboard/account': { get: accountPage },
    '/dashboard/account/security': { get: securityPage },
    '/dashboard/account/second-factor/set-up': { post: startSetUpForm },
    '/dashboard/account/second-factor/set-up/:name': { get: setUpPage, post: setUpForm },
    '/dashboard/account/second-factor/recovery-codes/:name': { get: recoveryCodesPage },
    '/dashboard/account/second-factor/new-codes': { get: newCodesPage, post: newCodesForm },
    '/dashboard/account/second-factor/turn-off': { get: turnOffPage, post: turnOffForm },
    '/dashboard/account/members': { get: membersPage, post: inviteForm },
    '/dashboard/account/members/invited/:name': { get: invitedPage },
    '/dashboard/account/members/:id': { get: memberPage },
    '/dashboard/account/members/:id/role': { post: setRoleForm },
    '/dashboard/account/members/:id/invite': { post: inviteAgainForm },
    '/dashboard/account/members/:id/remove': { post: removeMemberForm },
    '/dashboard/account/data': { get: dataPage },
    '/dashboard/account/export.zip': { get: exportPage },
    '/dashboard/account/delete': { get: deletePage, post: deleteForm },
    '/dashboard/account/leave': { get: leavePage, post: leaveForm },
    '/dashboard/account/password': { post: changePasswordForm },
    '/dashboard/account/profile': { post: profileForm },
    '/dashboard/account/questions': { post: questionsForm },
    '/dashboard/account/sessions/:name/sign-out': { post: signOutOneForm },
    '/dashboard/account/sign-out-everywhere': { post: signOutEverywhereForm },
    '/oauth/authorize': { get: authorizePage, post: authorizeForm },
  }),
];

type Handlers<Access extends Page['access']> = Omit<
  Extract<Page, { access: Access }>,
  'access' | 'path'
>;

function forEverybody(table: Record<string, Handlers<'everybody'>>): Page[] {
  return Object.entries(table).map(([path, handlers]) => ({
    path,
    access: 'everybody',
    ...handlers,
  }));
}

function forCustomers(table: Record<string, Handlers<'customer'>>): Page[] {
  return Object.entries(table).map(([path, handlers]) => ({
    path,
    access: 'customer',
    ...handlers,
  }));
}
