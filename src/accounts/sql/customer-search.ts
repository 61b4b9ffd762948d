/** Customers as the operator's list has them: searched, sorted, in pages. */
import { query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { type Customer, customerColumns, normalizeEmail } from './customers.ts';

export type CustomerState = 'enabled' | 'disabled' | 'debt' | 'unconfirmed';
export type CustomerOrder = 'newest' | 'used' | 'balance' | 'email';

export interface CustomerSearch {
  /** A part of the address, in any case. */
  text?: string | undefined;
  state?: CustomerState | undefined;
  order: CustomerOrder;
  /** How many to leave out. */
  offset: number;
  limit: number;
  now: number;
}

export interface ListedCustomer extends Customer {
  /** Valid ones. */
  keys: number;
  /** When the last call began; null: never. */
  lastUsedAt: number | null;
}

export interface FoundCustomers {
  customers: ListedCustomer[];
  /** Of all pages. */
  total: number;
}

const orders: Readonly<Record<CustomerOrder, string>> = {
  newest: 'customers.id DESC',
  used: '"lastUsedAt" DESC NULLS LAST, customers.id DESC',
  balance: 'balance DESC, customers.id DESC',
  email: 'email',
};

const conditions: Readonly<Record<CustomerState, string>> = {
  enabled: 'disabled_at IS NULL',
  disabled: 'disabled_at IS NOT NULL',
  debt: 'balance < 0',
  unconfirmed: 'unconfirmed_since IS NOT NULL',
};

/** Finds customers. Scans them: not for the main thread. */
export function* searchCustomers({
  text = '',
  state,
  order,
  offset,
  limit,
  now,
}: CustomerSearch): Sql<FoundCustomers> {
  const matching = `FROM customers WHERE (CAST($1 AS text) = '' OR replace(email, $1, '') <> email
      OR replace(lower(account_name), $1, '') <> lower(account_name))
    ${state === undefined ? '' : `AND ${conditions[state]}`}`;
  const part = normalizeEmail(text);
  const customers = yield* query<ListedCustomer>(
    `SELECT ${customerColumns},
       (SELECT count(*) FROM api_keys k WHERE k.customer_id = customers.id
         AND (k.revoked_at IS NULL OR k.revoked_at > $2)
         AND (k.expires_at IS NULL OR k.expires_at > $2)) AS keys,
       (SELECT max(last_at) FROM request_days d WHERE d.customer_id = customers.id) AS "lastUsedAt"
     ${matching} ORDER BY ${orders[order]} LIMIT $3 OFFSET $4`,
    [part, now, limit, offset],
  );
  const found = yield* queryFirst<{ total: number }>(`SELECT count(*) AS total ${matching}`, [
    part,
  ]);
  return { customers, total: found?.total ?? 0 };
}
