/** The lock of a customer. */
import type { Queries } from '../../database/postgres/postgres-database.ts';

/** Lets the other transactions of a customer wait. What is read afterwards is current. */
export async function lockCustomer({ query }: Queries, customerId: number): Promise<void> {
  await query('SELECT 1 FROM customers WHERE id = $1 FOR UPDATE', [customerId]);
}
