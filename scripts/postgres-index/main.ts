/** Copies an index from an SQLite file to several servers of PostgreSQL with a front that asks them. */
import { openStoreForReading } from '../../src/database/open.ts';
import { VerbatimError } from '../../src/errors.ts';
import { openOptions } from '../measure/databases.ts';
import { required, several } from '../measure/options.ts';
import { defineMeasurement } from '../measure/run.ts';
import { loadServers } from './load-servers.ts';

const LIMITS = { connectionsMax: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 3_600_000 };

export const measurement = defineMeasurement({
  options: {
    db: required('the index on SQLite'),
    url: required('the database of the front', 'postgres://…'),
    server: several(
      'the address of a server for a share of the papers, as the front reaches it',
      'url',
    ),
  },
  async run({ db: path, url: front, server: servers }) {
    if (servers.length === 0) throw new VerbatimError('usage', '--server is missing');
    const db = openStoreForReading(openOptions(path));
    await loadServers(db, { front, servers, vectorIndex: 'halfvec', ...LIMITS });
    db.close();
    return { report: { servers: servers.length }, shown: [`loaded ${servers.length} servers`] };
  },
});
