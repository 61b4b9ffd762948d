/** Two transactions on PostgreSQL that meet: one of them runs between two statements of the other. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import type { AccountStore } from '../../../src/accounts/ports/account-store.ts';
import type { OperatorStore } from '../../../src/accounts/ports/operator-store.ts';
import { openPostgresAccounts } from '../../../src/accounts/postgres/postgres-accounts.ts';
import { createPostgresOperator } from '../../../src/accounts/postgres/postgres-operator.ts';
import { commandLine } from '../../../src/accounts/sql/operator-trail.ts';
import { databaseOptions } from '../../../src/database/postgres/database-options.ts';
import { type Database, openDatabase } from '../../../src/database/postgres/postgres-database.ts';
import { changeOnPostgres, runOnPostgres } from '../../../src/database/postgres/run-on-postgres.ts';
import type { Sql } from '../../../src/database/sql/sql.ts';
import { createLog } from '../../../src/log.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { startCluster } from './postgres-cluster.ts';

interface MeetingAccounts {
  store: AccountStore;
  operator: OperatorStore;
  database: Database;
}

/** Lets two transactions meet. Resolves with their outcomes once both have ended. */
type Meet = <First, Second>(
  first: () => Sql<First>,
  second: () => Sql<Second>,
) => Promise<[Promise<First>, Promise<Second>]>;

/** Opens accounts on PostgreSQL for the tests of a file. */
export function useAccounts(): () => MeetingAccounts {
  let accounts: MeetingAccounts;
  let end: () => Promise<void>;

  beforeAll(async () => {
    // Nothing crashes here, so commits need not wait for the disk.
    const cluster = startCluster({ settings: ['fsync=off'] });
    const settings = readSettings({ accountsAddress: cluster.url }, {});
    const store = await openPostgresAccounts({ log: createLog(() => {}), settings });
    await store.joinAsNode();
    const database = openDatabase(databaseOptions(settings));
    accounts = { store, operator: createPostgresOperator(database, commandLine), database };
    end = async () => {
      await store.close(0);
      await database.close();
      cluster.stop();
    };
  });
  afterAll(() => end());
  return () => accounts;
}

/**
 * Repeats a test for each way in which two transactions can meet. Before each statement of either one,
 * and before its commit, the other one begins, and runs until it ends or waits for a lock. If both are the
 * same function, one of them is enough. Rejects if they wait for each other.
 */
export async function atEachStatement(
  database: Database,
  test: (meet: Meet) => Promise<void>,
): Promise<void> {
  let areSame = false;
  for (const stoppedOne of ['first', 'second']) {
    for (let place = 0, isReached = true; isReached; place++) {
      const meet: Meet = async (first, second) => {
        areSame = first === (second as unknown);
        if (stoppedOne === 'first') {
          const met = await meetAt(database, place, first, second);
          isReached = met.isReached;
          return [met.stopped, met.other];
        }
        const met = await meetAt(database, place, second, first);
        isReached = met.isReached;
        return [met.other, met.stopped];
      };
      try {
        await test(meet);
      } catch (error) {
        const where = `before statement ${place} of the ${stoppedOne}`;
        throw new Error(`${where}: ${error}`, { cause: error });
      }
    }
    if (areSame) return;
  }
}

/**
 * Runs a transaction up to a statement, by its number from 0, then the other one until it ends or waits,
 * and then both to their ends. `isReached` is false if there are fewer statements: then the other one runs
 * afterwards. Rejects if they wait for each other.
 */
export async function meetAt<Stopped, Other>(
  database: Database,
  place: number,
  makeStopped: () => Sql<Stopped>,
  makeOther: () => Sql<Other>,
): Promise<{ stopped: Promise<Stopped>; other: Promise<Other>; isReached: boolean }> {
  let attempts = 0;
  let other: Promise<Other> | undefined;
  const runOther = (): Promise<Other> => {
    other ??= changeOnPostgres(database, () => {
      attempts++;
      return makeOther();
    });
    return other;
  };
  const stopped = database.transaction(async ({ query }) => {
    attempts++;
    let statements = 0;
    const stop = async (): Promise<void> => {
      if (statements++ === place) await untilWaiting(database, runOther());
    };
    const stoppable: typeof query = async (text, values) => {
      await stop();
      return await query(text, values);
    };
    const result = await runOnPostgres({ query: stoppable }, makeStopped());
    await stop();
    return result;
  });
  await Promise.allSettled([stopped]);
  const isReached = other !== undefined;
  await Promise.allSettled([runOther()]);
  if (attempts > 2) throw new Error('the transactions waited for each other');
  return { stopped, other: runOther(), isReached };
}

/** Resolves when a transaction has ended, or waits for a lock. */
async function untilWaiting(database: Database, running: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  void Promise.allSettled([running]).then(() => {
    hasEnded = true;
  });
  const text = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
  while (!hasEnded && (await database.query(text)).length === 0) await pause(1);
}
