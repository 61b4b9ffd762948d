/** Notices damage that the ledger's thread met. */
import type { DamageRegister } from '../../database/damage/damage-register.ts';
import { noticeDamage } from '../../database/damage/notice-damage.ts';
import { ACCOUNTS, LEDGER, type PartInUse } from '../../database/damage/parts.ts';
import { errorOf } from '../../workers/outcome.ts';
import type { Pool } from '../../workers/pool.ts';
import type { LedgerOperation, LedgerResult, LedgerTask } from './ledger-worker.ts';

/** Returns a pool that does the same and reports damage, of a whole list or of one operation in it. */
export function noticeLedgerDamage<LedgerPool extends Pool<LedgerTask, LedgerResult[]>>(
  pool: LedgerPool,
  register: Pick<DamageRegister, 'report'>,
): LedgerPool {
  return {
    ...pool,
    async run(task) {
      let results: LedgerResult[];
      try {
        results = await pool.run(task);
      } catch (error) {
        noticeDamage(register, LEDGER, error);
        // Unchanged, because its message tells the operator the cause.
        throw error;
      }
      if (!Array.isArray(task)) return results;
      return results.map((result, index) => {
        if ('value' in result) return result;
        noticeDamage(register, partOf(task[index]), errorOf(result.failure));
        return result;
      });
    },
  };
}

function partOf(operation: LedgerOperation | undefined): PartInUse {
  return operation?.kind === 'account' ? ACCOUNTS : LEDGER;
}
