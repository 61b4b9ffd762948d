/** The ledger: does everything add up? */
import { auditLedger } from '../store/accounts/audit.ts';
import { type DatabaseCheck, error, ok } from './check.ts';

export const checkLedger: DatabaseCheck = {
  name: 'ledger',
  run(_context, db) {
    const { entries, customers, differences } = auditLedger(db);
    const [first, ...others] = differences;
    if (first === undefined)
      return [ok(`all balances match the ledger: customers ${customers}, entries ${entries}`)];
    const more = others.length === 0 ? '' : `, and ${others.length} more differences`;
    return [error(`${first}${more}`, 'see all of them: verbatim credit audit')];
  },
};
