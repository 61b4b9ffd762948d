/** The table of the operator's pages by path. */
import { confirmation } from './components/confirmation.tsx';
import type { EntryPage, OperatorPage } from './page/operator-call.ts';
import {
  accountPage,
  endSessionForm,
  passwordForm,
  signOutEverywhereForm,
} from './pages/account.tsx';
import { alertsForm, alertsPage, testAlertForm } from './pages/alerts.tsx';
import { auditForm, auditsPage } from './pages/audits.tsx';
import { askToDisable, askToRefund, askToRevoke, askToTakeBack } from './pages/confirmations.tsx';
import { customerPage } from './pages/customer.tsx';
import {
  creditForm,
  enableForm,
  linkForm,
  noteForm,
  refundForm,
} from './pages/customer-changes.ts';
import { addCustomerForm, customersPage } from './pages/customers.tsx';
import { linkForm as enrollForm, linkPage as enrollPage } from './pages/enroll.tsx';
import { explainForm, explainPage } from './pages/explain.tsx';
import { indexPage, stopForm, updateForm } from './pages/index-page.tsx';
import { keyRatesForm, keyRatesPage } from './pages/key-rates.tsx';
import { moneyPage } from './pages/money.tsx';
import { nowPage } from './pages/now.tsx';
import { shownLinkPage } from './pages/operator-link.tsx';
import { newCodesForm, newCodesPage, shownCodesPage } from './pages/operator-recovery-codes.tsx';
import { newFactorForm, newFactorPage } from './pages/operator-second-factor.tsx';
import { signInForm, signInPage, signOutForm } from './pages/operator-sign-in.tsx';
import { questionsPage } from './pages/questions.tsx';
import { customerRequestsPage, failuresPage, requestPage } from './pages/requests.tsx';
import { trailPage } from './pages/trail.tsx';

type Table<Page extends { path: string }> = Readonly<Record<string, Omit<Page, 'path'>>>;

/**
 * For operators who are signed in, and on the loopback interface for everybody. Each page is guarded
 * before it runs, so it checks nothing.
 */
const table: Table<OperatorPage> = {
  '/operator': { get: nowPage },
  '/operator/customers': { get: customersPage, post: addCustomerForm },
  '/operator/customers/:id': { get: customerPage },
  '/operator/customers/:id/requests': { get: customerRequestsPage },
  '/operator/customers/:id/credit': { post: creditForm },
  '/operator/customers/:id/credit/:entry': confirmation(askToTakeBack),
  '/operator/customers/:id/refund': { post: refundForm },
  '/operator/customers/:id/refunds': confirmation(askToRefund),
  '/operator/customers/:id/note': { post: noteForm },
  '/operator/customers/:id/disable': confirmation(askToDisable),
  '/operator/customers/:id/enable': { post: enableForm },
  '/operator/customers/:id/link': { post: linkForm },
  '/operator/requests': { get: failuresPage },
  '/operator/requests/:id': { get: requestPage },
  '/operator/keys/:prefix': { get: keyRatesPage, post: keyRatesForm },
  '/operator/keys/:prefix/revoke': confirmation(askToRevoke),
  '/operator/links/:name': { get: shownLinkPage },
  '/operator/money': { get: moneyPage },
  '/operator/money/audits': { get: auditsPage, post: auditForm },
  '/operator/index': { get: indexPage },
  '/operator/index/update': { post: updateForm },
  '/operator/index/stop': { post: stopForm },
  '/operator/alerts': { get: alertsPage, post: alertsForm },
  '/operator/alerts/test': { post: testAlertForm },
  '/operator/questions': { get: questionsPage },
  '/operator/explain': { get: explainPage, post: explainForm },
  '/operator/trail': { get: trailPage },
};

/** The own account of an operator who is signed in. */
const ownTable: Table<OperatorPage> = {
  '/operator/account': { get: accountPage },
  '/operator/account/password': { post: passwordForm },
  '/operator/account/second-factor': { get: newFactorPage, post: newFactorForm },
  '/operator/account/recovery-codes': { get: newCodesPage, post: newCodesForm },
  '/operator/account/recovery-codes/:name': { get: shownCodesPage },
  '/operator/account/sessions/:name/sign-out': { post: endSessionForm },
  '/operator/account/sign-out-everywhere': { post: signOutEverywhereForm },
};

/** The way in and out, for everybody who reaches the service. */
const entryTable: Table<EntryPage> = {
  '/operator/sign-in': { get: signInPage, post: signInForm },
  '/operator/sign-out': { post: signOutForm },
  '/operator/link': { get: enrollPage, post: enrollForm },
};

function pagesOf<Page extends { path: string }>(table: Table<Page>): readonly Page[] {
  return Object.entries(table).map(([path, handlers]) => ({ path, ...handlers }) as Page);
}

export const operatorPages = pagesOf(table);
export const ownPages = pagesOf(ownTable);
export const entryPages = pagesOf(entryTable);
