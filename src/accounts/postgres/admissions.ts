/** Admissions on PostgreSQL. Those that arrive while others are under way share a round trip. */

import type { Database } from '../../database/postgres/postgres-database.ts';
import type { Settings } from '../../settings/config.ts';
import { inBatches } from '../../workers/batching.ts';
import { type AdmittedKey, admitSecrets, type ShownSecret } from './postgres-paid-calls.ts';

/** Returns a function that admits a secret. It rejects with `at_capacity` if too many wait. */
export function createAdmissions(
  database: Database,
  settings: Settings,
): (shown: ShownSecret) => Promise<AdmittedKey | undefined> {
  const lists = {
    async run(shown: ShownSecret[]) {
      const admitted = await admitSecrets(database, shown, settings.requestsPerMinute);
      return admitted.map((value) => ({ value }));
    },
    close: async () => {},
  };
  return inBatches(lists, {
    threads: settings.accountAdmissionListsMax,
    batchMax: settings.accountAdmissionBatchMax,
    queueMax: settings.accountAdmissionsWaitingMax,
  }).run;
}
