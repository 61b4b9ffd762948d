/** Audits the ledger, and adds up what was debited. */
import { commandLine } from '../../../src/accounts/sql/operator-trail.ts';
import { CREDITS } from './add-accounts.ts';
import { withAccounts } from './open-accounts.ts';

export function auditAccounts({ place }: { place: string }): Promise<{
  debited: number;
  held: number;
  differences: readonly string[];
}> {
  return withAccounts(place, async ({ asOperator }) => {
    const operator = asOperator(commandLine);
    const { differences, held } = await operator.audit();
    const customers = await operator.listCustomers();
    const debited = customers.reduce((sum, { balance }) => sum + CREDITS - balance, 0);
    return { debited, held, differences };
  });
}
