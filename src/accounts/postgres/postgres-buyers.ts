/** What customers want on their receipts, on PostgreSQL. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import { type Buyer, NO_BUYER } from '../sql/buyers.ts';

export async function findBuyer(
  { query }: Queries,
  { customerId }: { customerId: number },
): Promise<Buyer> {
  const find = 'SELECT address, tax_id AS "taxId" FROM buyers WHERE customer_id = $1';
  return (await query<Buyer>(find, [customerId]))[0] ?? NO_BUYER;
}

export async function saveBuyer(
  { query }: Queries,
  { customerId, address, taxId }: Buyer & { customerId: number },
): Promise<void> {
  await query(
    `INSERT INTO buyers VALUES ($1, $2, $3) ON CONFLICT (customer_id)
     DO UPDATE SET address = excluded.address, tax_id = excluded.tax_id`,
    [customerId, address, taxId],
  );
}
