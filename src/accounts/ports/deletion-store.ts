/** The end of an account. */
import type { CustomerDeletion, DeletionFacts } from '../sql/delete-customer.ts';

export interface DeletionStore {
  /** Reads what stands in the way of a deletion. One moment: the deletion checks again. */
  readDeletionFacts(input: { customerId: number; now: number }): Promise<DeletionFacts>;
  /**
   * Deletes a customer, all or nothing: members with sessions, links, and second factors, names of keys,
   * clients, and the address. Keys stop at once. The ledger stays, and gets an `adjust` for the credit
   * that is given up. Rejects with `account_kept`, `credit_changed`, `not_found` unless the member is an
   * owner, `second_factor_needed`, and `wrong_code`.
   */
  deleteCustomer(input: CustomerDeletion): Promise<void>;
  /**
   * Deletes at most so many stored answers of a customer. Resolves to their number: fewer than `limit`
   * when none is left. May be repeated.
   */
  deleteAnswersOf(input: { customerId: number; limit: number }): Promise<number>;
}
