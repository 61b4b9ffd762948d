/** Asks the PostgreSQL of the settings about itself. It changes nothing, not even older tables. */
import { openDatabase } from '../../store/postgres/database.ts';
import { readServerState, type ServerState } from '../../store/postgres/server-state.ts';
import { type DatabaseSettings, databaseOptions } from './database-options.ts';

export async function stateOfPostgres(settings: DatabaseSettings): Promise<ServerState> {
  const database = openDatabase(databaseOptions(settings));
  try {
    return await readServerState(database);
  } finally {
    await database.close();
  }
}
