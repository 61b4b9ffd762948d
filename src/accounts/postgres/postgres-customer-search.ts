/** Customers as the operator's list has them, on PostgreSQL. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type {
  CustomerOrder,
  CustomerSearch,
  FoundCustomers,
  ListedCustomer,
} from '../sql/customer-search.ts';
import { normalizeEmail } from '../sql/customers.ts';
import { customerColumns } from './postgres-customers.ts';

const orders: Readonly<Record<CustomerOrder, string>> = {
  newest: 'customers.id DESC',
  used: '"lastUsedAt" DESC NULLS LAST, customers.id DESC',
  balance: 'balance DESC, customers.id DESC',
  email: 'email',
};

/** Finds customers. */
export async function searchCustomers(
  { query }: Queries,
  { text = '', state, order, offset, limit, now }: CustomerSearch,
): Promise<FoundCustomers> {
  const matching = `FROM customers WHERE ($1::text = '' OR position($1 IN email) > 0)
    AND CASE $2::text WHEN 'enabled' THEN disabled_at IS NULL
      WHEN 'disabled' THEN disabled_at IS NOT NULL WHEN 'debt' THEN balance < 0 ELSE true END`;
  const filter = [normalizeEmail(text), state ?? null];
  const customers = await query<ListedCustomer>(
    `SELECT ${customerColumns},
       (SELECT count(*) FROM api_keys k WHERE k.customer_id = customers.id
         AND coalesce(k.revoked_at, $3::bigint + 1) > $3
         AND coalesce(k.expires_at, $3::bigint + 1) > $3) AS keys,
       (SELECT a.created_at FROM activity a WHERE a.customer_id = customers.id
         AND a.kind NOT IN ('topup', 'adjust') ORDER BY a.id DESC LIMIT 1) AS "lastUsedAt"
     ${matching} ORDER BY ${orders[order]} LIMIT $4 OFFSET $5`,
    [...filter, now, limit, offset],
  );
  const [found] = await query<{ total: number }>(`SELECT count(*) AS total ${matching}`, filter);
  return { customers, total: found?.total ?? 0 };
}
