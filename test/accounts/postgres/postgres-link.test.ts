/** The link between a node and PostgreSQL is cut without a word, and works again. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccountStore } from '../../../src/accounts/ports/account-store.ts';
import type { OperatorStore } from '../../../src/accounts/ports/operator-store.ts';
import { openPostgresAccounts } from '../../../src/accounts/postgres/postgres-accounts.ts';
import { createPostgresOperator } from '../../../src/accounts/postgres/postgres-operator.ts';
import { readBalance } from '../../../src/accounts/sql/customers.ts';
import { commandLine } from '../../../src/accounts/sql/operator-trail.ts';
import { databaseOptions } from '../../../src/database/postgres/database-options.ts';
import { type Database, openDatabase } from '../../../src/database/postgres/postgres-database.ts';
import { runOnPostgres } from '../../../src/database/postgres/run-on-postgres.ts';
import type { VerbatimError } from '../../../src/errors.ts';
import { createLog } from '../../../src/log.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { NOW } from '../../support/accounts.ts';
import { addPerson, newHold, type Person } from '../conformance/accounts-under-test.ts';
import { type CuttableLink, openLink } from './cuttable-link.ts';
import { type Cluster, startCluster } from './postgres-cluster.ts';

let cluster: Cluster;
let link: CuttableLink;
let node: AccountStore;
let database: Database;
let operator: OperatorStore;
let person: Person;

/** Statements may take longer than any test: only silence ends them. */
const settings = (accountsAddress: string) =>
  readSettings(
    {
      accountsAddress,
      accountConnectTimeoutMs: 5_000,
      accountStatementTimeoutMs: 600_000,
      databaseCheckMs: 50,
      // A busy machine may take a second to answer.
      accountSilenceMs: 1_500,
      ledgerRetryMs: 50,
      nodeLeaseMs: 300,
    },
    {},
  );

beforeAll(async () => {
  cluster = startCluster();
  link = await openLink(cluster.url);
  const log = createLog(() => {});
  node = await openPostgresAccounts({ log, settings: settings(link.url) });
  await node.joinAsNode();
  database = openDatabase(databaseOptions(settings(cluster.url)));
  operator = createPostgresOperator(database, commandLine);
});

beforeEach(async () => {
  const newPerson = (): Promise<Person> => addPerson({ operator }, { credits: 10 });
  person = await newPerson();
  // Connections of the test before may still be dead.
  await expect.poll(holdOrFail).toBeTypeOf('number');
  person = await newPerson();
});

afterAll(async () => {
  await node.close(0);
  await database.close();
  await link.close();
  cluster.stop();
});

const balance = (): Promise<number> => runOnPostgres(database, readBalance(person.customerId));
const degraded = { code: 'degraded' };
/** A connection that was opened during the cut may still be dead after it, and fails what it carries. */
const holdOrFail = (): Promise<unknown> =>
  node.hold(newHold(person)).catch((error: VerbatimError) => error.code);

describe('a database that refuses writes, as a replica does', () => {
  const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
    await database.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await database.query('SELECT pg_reload_conf()');
    await expect
      .poll(() => database.query('SHOW default_transaction_read_only'))
      .toEqual([{ default_transaction_read_only: value }]);
  };

  it('fails a hold as degraded, and holds again when it is over', async () => {
    await setReadOnly('on');
    await expect(node.hold(newHold(person))).rejects.toMatchObject(degraded);
    await setReadOnly('off');
    await expect.poll(holdOrFail).toBe(9);
  });
});

describe('a link that is cut', () => {
  it('fails what waits for it, and the node says so, until it works again', async () => {
    await node.hold(newHold(person));
    link.cut();
    const { secret } = person;
    await Promise.all([
      expect(node.hold(newHold(person))).rejects.toMatchObject(degraded),
      expect(node.admit({ secret, acceptsTokens: false, now: NOW })).rejects.toMatchObject(
        degraded,
      ),
    ]);
    expect(node.fault()).toMatch(/PostgreSQL/);
    link.mend();
    await expect.poll(holdOrFail).toBe(8);
  });

  it('makes a node that does nothing say so, too', async () => {
    link.cut();
    await expect.poll(() => node.fault()).toMatch(/PostgreSQL/);
    link.mend();
    await expect.poll(() => node.fault()).toBeUndefined();
  });

  it('writes a settlement that was lost on the way', async () => {
    const hold = newHold(person);
    await node.hold(hold);
    link.cut();
    await expect(node.settle(hold.requestId)).rejects.toMatchObject(degraded);
    link.mend();
    const settle = () => node.settle(hold.requestId).catch((error: VerbatimError) => error.code);
    await expect.poll(settle).toBeUndefined();
    expect(await balance()).toBe(9);
  });

  it('costs nobody a credit if a hold arrives after its release', async () => {
    // More connections than the node's checks and leases use at a time: the hold will be lost on one of
    // them. On a new one nothing would be lost but the greeting.
    const readBalances = Array.from({ length: 5 }, () => node.readBalance(person.customerId));
    expect(await Promise.all(readBalances)).toEqual([10, 10, 10, 10, 10]);
    link.cut();
    await expect(node.hold(newHold(person))).rejects.toMatchObject(degraded);
    link.mend();
    // The release was written, and found nothing.
    await expect.poll(() => node.fault()).toBeUndefined();
    expect(await balance()).toBe(10);
    link.deliverLate();
    const held = (): Promise<unknown[]> =>
      database.query(`SELECT 1 FROM ledger_entries WHERE customer_id = $1 AND kind = 'hold'`, [
        person.customerId,
      ]);
    await expect.poll(held).toHaveLength(1);
    await expect.poll(balance).toBe(10);
    expect((await operator.audit()).differences).toEqual([]);
  });
});
