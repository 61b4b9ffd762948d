/** Customers as the operator's list has them: searched, sorted, in pages. */
import type { Connection } from '../../database/sqlite/connection.ts';
import { type Customer, customerColumns, normalizeEmail } from './customers.ts';

export type CustomerState = 'enabled' | 'disabled' | 'debt';
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
  used: 'lastUsedAt DESC NULLS LAST, customers.id DESC',
  balance: 'balance DESC, customers.id DESC',
  email: 'email',
};

/** Finds customers. Scans them: not for the main thread. */
export function searchCustomers(
  db: Connection,
  { text = '', state, order, offset, limit, now }: CustomerSearch,
): FoundCustomers {
  const matching = `FROM customers WHERE (:text = '' OR instr(email, :text) > 0)
    AND CASE :state WHEN 'enabled' THEN disabled_at IS NULL
      WHEN 'disabled' THEN disabled_at IS NOT NULL WHEN 'debt' THEN balance < 0 ELSE 1 END`;
  const filter = { text: normalizeEmail(text), state: state ?? null };
  const customers = db
    .prepare(
      `SELECT ${customerColumns},
         (SELECT count(*) FROM api_keys k WHERE k.customer_id = customers.id
           AND coalesce(k.revoked_at, :now + 1) > :now
           AND coalesce(k.expires_at, :now + 1) > :now) AS keys,
         (SELECT a.created_at FROM activity a WHERE a.customer_id = customers.id
           AND a.kind NOT IN ('topup', 'adjust') ORDER BY a.id DESC LIMIT 1) AS lastUsedAt
       ${matching} ORDER BY ${orders[order]} LIMIT :limit OFFSET :offset`,
    )
    .all({ ...filter, now, limit, offset }) as ListedCustomer[];
  const total = db.prepare(`SELECT count(*) ${matching}`).pluck().get(filter);
  return { customers, total: Number(total) };
}
