/** What the pictures show: a customer of three months, a new one, one with many keys, one who paid. */
import { addCustomer } from '../../src/accounts/sql/customers.ts';
import { topUp } from '../../src/accounts/sql/ledger.ts';
import { addPayer } from '../../test/support/billing-history.ts';
import {
  addConnection,
  addKey,
  addReturned,
  addSearches,
  addSomeone,
  inStore,
  warnBelow,
} from '../../test/support/history.ts';
import { addOperatorSession } from '../pages/add-operator-session.ts';
import { addSamples } from '../pages/add-samples.ts';
import { fillPayments } from './fill-payments.ts';

export const EMAIL = 'ada@example.org';
export const NEWCOMER = 'newcomer@example.org';
export const MANY_KEYS = 'laboratory@example.org';
export const PAYER = 'payer@example.org';

const PAYMENTS = 40;
const OTHERS = ['library', 'review.group', 'oncology', 'writing.center', 'meta.analysis'];
const KEYS = 30;

/** Returns the token of an operator's session. */
export function fill(database: string): string {
  addSomeone(database, { email: NEWCOMER });
  addManyKeys(database);
  const { customerId } = addSomeone(database, { email: EMAIL, credits: 6_000 });
  fillPayments(database, customerId, PAYMENTS);
  addUse(database, customerId);
  warnBelow(database, customerId, 500);
  addPayer(database, PAYER);
  return inStore(database, (db) => {
    const now = Date.now();
    for (const [number, name] of OTHERS.entries()) {
      const { id } = addCustomer(db, { email: `${name}@university.example`, now });
      topUp(db, { customerId: id, credits: 500 * number + 100, note: 'to begin with', now });
    }
    addSamples(db, now);
    return addOperatorSession(db, 'grace@example.org');
  });
}

/** Searches with a weekly pattern, so that the charts are not empty. */
function addUse(database: string, customerId: number): void {
  const agent = addKey(database, customerId, 'Review agent');
  const notebook = addKey(database, customerId, 'Notebook');
  const countOf = (daysAgo: number): number =>
    Math.round(
      (90 - daysAgo / 2) *
        ((daysAgo * 5) % 7 < 2 ? 0.25 : 1) *
        (0.6 + 0.4 * Math.abs(Math.sin(daysAgo))),
    );
  const few = (daysAgo: number): number => daysAgo % 4;
  const add = (keyId: number, days: number, count: (daysAgo: number) => number): void =>
    addSearches(database, { customerId, keyId }, { days, countOf: count, isMeasured: true });
  add(agent.key.id, 90, countOf);
  add(notebook.key.id, 20, few);
  addReturned(database, { customerId, keyId: notebook.key.id });
  add(addConnection(database, customerId, 'Reading assistant').id, 12, few);
}

function addManyKeys(database: string): void {
  const { customerId } = addSomeone(database, { email: MANY_KEYS, credits: 1_234_567 });
  for (let number = 1; number <= KEYS; number++) {
    const { key } = addKey(database, customerId, `Pipeline ${number}`);
    const searches = { days: 3, countOf: () => number };
    addSearches(database, { customerId, keyId: key.id }, searches);
  }
}
