/**
 * What the operator does with accounts: from the command line, beside servers that run, and on the pages
 * of a server. A customer is named by an address in any case, and a key by the beginning of its hash
 * prefix. What a method does and throws stands at the function of its name in `sql/`.
 *
 * The rules of account-store.ts hold. Each method is all or nothing. A change is made together with its
 * entry in the trail, and rejects with `already_submitted` if a change with the same submission was made
 * before, and with `signed_out` if the session of who makes it has ended. A method that names a customer
 * rejects with `unknown_customer`, and one that names a key with `unknown_key`, also if more than one
 * begins like that.
 */
import type { Bound } from '../../database/sql/bind.ts';
import type { AuditReport } from '../sql/kept-audits.ts';
import type { operatorChanges } from '../sql/operator-changes.ts';
import type { operatorReads } from '../sql/operator-reads.ts';
import type { OperatorIdentity } from '../sql/operator-trail.ts';

export type OperatorStore = Bound<typeof operatorReads> &
  Bound<typeof operatorChanges> & {
    /** Recomputes everything from the ledger's entries and compares. Reads one moment. */
    audit(): Promise<AuditReport>;
  };

/** What a server offers its operators. */
export interface OperatorAccess {
  /** Returns the store for somebody. Changes are theirs in the trail. */
  asOperator(by: OperatorIdentity): OperatorStore;
}
