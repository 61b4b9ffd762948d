/** The table of the operator's pages by path. */
import type { OperatorPage } from './page/operator-call.ts';
import { auditForm, auditsPage } from './pages/audits.tsx';
import { customerPage } from './pages/customer.tsx';
import {
  creditForm,
  disableForm,
  enableForm,
  linkForm,
  refundForm,
} from './pages/customer-changes.ts';
import { addCustomerForm, customersPage } from './pages/customers.tsx';
import { indexPage, stopForm, updateForm } from './pages/index-page.tsx';
import { keyRatesForm, keyRatesPage } from './pages/key-rates.tsx';
import { shownLinkPage } from './pages/link.tsx';
import { moneyPage } from './pages/money.tsx';
import { nowPage } from './pages/now.tsx';
import { questionsPage } from './pages/questions.tsx';
import { trailPage } from './pages/trail.tsx';

type Handlers = Omit<OperatorPage, 'path'>;

const table: Readonly<Record<string, Handlers>> = {
  '/operator': { get: nowPage },
  '/operator/customers': { get: customersPage, post: addCustomerForm },
  '/operator/customers/:id': { get: customerPage },
  '/operator/customers/:id/credit': { post: creditForm },
  '/operator/customers/:id/refund': { post: refundForm },
  '/operator/customers/:id/disable': { post: disableForm },
  '/operator/customers/:id/enable': { post: enableForm },
  '/operator/customers/:id/link': { post: linkForm },
  '/operator/keys/:prefix': { get: keyRatesPage, post: keyRatesForm },
  '/operator/links/:name': { get: shownLinkPage },
  '/operator/money': { get: moneyPage },
  '/operator/money/audits': { get: auditsPage, post: auditForm },
  '/operator/index': { get: indexPage },
  '/operator/index/update': { post: updateForm },
  '/operator/index/stop': { post: stopForm },
  '/operator/questions': { get: questionsPage },
  '/operator/trail': { get: trailPage },
};

export const operatorPages: readonly OperatorPage[] = Object.entries(table).map(
  ([path, handlers]) => ({ path, ...handlers }),
);
