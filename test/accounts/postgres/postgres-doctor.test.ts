/** The doctor where the accounts are on PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writePlace } from '../../../src/accounts/sql/account-place.ts';
import { openStore } from '../../../src/database/open.ts';
import { findingsOf } from '../../commands/doctor/examination.ts';
import { temporaryFolder } from '../../support/accounts.ts';
import { storeAt, withDatabase } from '../move/world.ts';
import { type Cluster, startCluster } from './postgres-cluster.ts';

const HOUR_MS = 3_600_000;
const store = storeAt(temporaryFolder());

let cluster: Cluster;
beforeAll(() => {
  cluster = startCluster();
  openStore(store).close();
});
afterAll(() => cluster.stop());

const found = (name: string, now = Date.now()) =>
  findingsOf(name, { database: store.path, accountsAddress: cluster.url }, { now });

describe('the doctor asks PostgreSQL', () => {
  it('whether the clocks differ, and whether the ledger is from the future', async () => {
    await withDatabase(cluster.url, async ({ query }) => {
      expect(await found('clock')).toMatchObject([{ severity: 'ok' }]);
      const [late] = await found('clock', Date.now() + HOUR_MS);
      expect(late?.found).toContain('but that of PostgreSQL says');
      await query(`INSERT INTO customers (email, created_at) VALUES ('ada@example.org', 1)`);
      await query(
        `INSERT INTO ledger_entries (customer_id, kind, credits, balance, created_at)
         VALUES (1, 'topup', 5, 5, $1)`,
        [Date.now() + HOUR_MS],
      );
      const [future] = await found('clock');
      expect(future?.found).toContain('but the ledger has an entry of');
    });
  });

  it('how it is backed up', async () => {
    const [finding] = await found('backup');
    expect(finding).toMatchObject({
      severity: 'warning',
      found: 'PostgreSQL does not archive its log, 0 standbys connected',
    });
  });
});

it('the doctor names accounts that have moved', async () => {
  const db = openStore(store);
  writePlace(db, { state: 'away', move: 'id', pending: null, other: 'postgres://db/verbatim' });
  db.close();
  const [finding] = await findingsOf('ledger', { database: store.path });
  expect(finding?.found).toBe('the accounts have moved to postgres://db/verbatim');
});
