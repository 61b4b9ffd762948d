/** Opens databases of earlier versions, as `verbatim migrate --no-copy` leaves them. */

import { migrateStore } from '../../../src/database/migrate-store.ts';
import { openStore } from '../../../src/database/open.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';

/** Migrates the file without a copy. */
export async function migrateWithoutCopy(path: string): Promise<void> {
  await migrateStore({ store: { path, lockWaitMs: 0 }, withCopy: false, onEvent() {} });
}

/** Migrates the file without a copy and opens it for writing. */
export async function openMigrated(path: string): Promise<Connection> {
  await migrateWithoutCopy(path);
  return openStore({ path, lockWaitMs: 0 });
}
