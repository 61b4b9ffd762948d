/** The ledger: does everything add up? */

import { readPlace } from '../../accounts/sql/account-place.ts';
import type { AuditReport } from '../../accounts/sql/kept-audits.ts';
import { commandLine } from '../../accounts/sql/operator-trail.ts';
import { auditLedger } from '../../accounts/sqlite/ledger/audit.ts';
import type { Settings } from '../../settings/config.ts';
import { type DatabaseCheck, error, ok } from './check.ts';

export const checkLedger: DatabaseCheck = {
  name: 'ledger',
  async run({ settings }, db) {
    const { state, other } = readPlace(db);
    if (settings.accountsAddress === '' && state === 'away') {
      return [
        error(`the accounts have moved to ${other}`, 'set VERBATIM_ACCOUNTS to that address'),
      ];
    }
    const report =
      settings.accountsAddress === '' ? auditLedger(db) : await auditSharedLedger(settings);
    const { entries, customers, differences } = report;
    const [first, ...others] = differences;
    if (first === undefined)
      return [ok(`all balances match the ledger: customers ${customers}, entries ${entries}`)];
    const more = others.length === 0 ? '' : `, and ${others.length} more differences`;
    return [error(`${first}${more}`, 'see all of them: verbatim credit audit')];
  },
};

async function auditSharedLedger(settings: Settings): Promise<AuditReport> {
  const { withPostgresOperator } = await import('../../accounts/postgres/postgres-operator.ts');
  return await withPostgresOperator(settings, commandLine, (accounts) => accounts.audit());
}
