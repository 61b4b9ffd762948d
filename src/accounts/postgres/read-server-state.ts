/** Asks the PostgreSQL of the settings about itself. It changes nothing, not even older tables. */

import {
  type DatabaseSettings,
  databaseOptions,
} from '../../database/postgres/database-options.ts';
import { openDatabase } from '../../database/postgres/postgres-database.ts';
import { readServerState, type ServerState } from './postgres-server-state.ts';

export async function stateOfPostgres(settings: DatabaseSettings): Promise<ServerState> {
  const database = openDatabase(databaseOptions(settings));
  try {
    return await readServerState(database);
  } finally {
    await database.close();
  }
}
