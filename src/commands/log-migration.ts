/** Logs what a server that starts does to an older database. */

import type { MigrationEvent } from '../database/migrate-store.ts';
import type { Log } from '../log.ts';

/** Returns a listener that writes one line for the copy and one for each step. */
export function logMigration(log: Log): (event: MigrationEvent) => void {
  let isCopying = false;
  return (event) => {
    if (event.kind === 'step') {
      log.info('migrating', { step: event.number, steps: event.of, name: event.name });
    } else if (event.kind === 'copied') {
      log.info('database_copied', { path: event.path });
    } else if (!isCopying) {
      isCopying = true;
      log.info('copying_database', { bytes: event.bytesTotal });
    }
  };
}
