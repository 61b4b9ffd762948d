/** What customers want on their receipts. */
import { query, queryFirst, type Sql } from '../../database/sql/sql.ts';

export interface Buyer {
  /** Name and postal address, with line breaks; empty: only the e-mail address. */
  address: string;
  /** Any text; empty: none. */
  taxId: string;
}

/** Finds what a customer wants on receipts; empty texts if they have said nothing. */
export function* findBuyer({ customerId }: { customerId: number }): Sql<Buyer> {
  const text = 'SELECT address, tax_id AS "taxId" FROM buyers WHERE customer_id = $1';
  return (yield* queryFirst<Buyer>(text, [customerId])) ?? { address: '', taxId: '' };
}

/** Stores it. May be repeated. */
export function* saveBuyer({
  customerId,
  address,
  taxId,
}: Buyer & { customerId: number }): Sql<void> {
  yield* query(
    `INSERT INTO buyers (customer_id, address, tax_id) VALUES ($1, $2, $3)
     ON CONFLICT (customer_id) DO UPDATE SET address = excluded.address, tax_id = excluded.tax_id`,
    [customerId, address, taxId],
  );
}
