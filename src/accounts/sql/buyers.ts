/** What customers want on their receipts. */
import type { Connection } from '../../database/sqlite/connection.ts';

export interface Buyer {
  /** Name and postal address, with line breaks; empty: only the e-mail address. */
  address: string;
  /** Any text; empty: none. */
  taxId: string;
}

export const NO_BUYER: Buyer = { address: '', taxId: '' };

/** Finds what a customer wants on receipts. */
export function findBuyer(db: Connection, { customerId }: { customerId: number }): Buyer {
  const find = 'SELECT address, tax_id AS taxId FROM buyers WHERE customer_id = ?';
  return (db.prepare(find).get(customerId) as Buyer | undefined) ?? NO_BUYER;
}

/** A step: stores it. May be repeated. */
export function saveBuyer(
  db: Connection,
  { customerId, address, taxId }: Buyer & { customerId: number },
): void {
  db.prepare(
    `INSERT INTO buyers VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET address = excluded.address, tax_id = excluded.tax_id`,
  ).run(customerId, address, taxId);
}
