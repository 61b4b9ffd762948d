/** The audit on PostgreSQL: what it finds, and how long it may take. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from '../../../src/accounts/postgres/postgres-audit.ts';
import { createPostgresOperator } from '../../../src/accounts/postgres/postgres-operator.ts';
import { commandLine } from '../../../src/accounts/sql/operator-trail.ts';
import { migrate } from '../../../src/database/postgres/migrations/migrate-postgres.ts';
import { type Database, openDatabase } from '../../../src/database/postgres/postgres-database.ts';
import { NOW } from '../../support/accounts.ts';
import { addPerson, type Person } from '../conformance/accounts-under-test.ts';
import { type Cluster, startCluster } from './postgres-cluster.ts';

const TIMEOUT_MS = 60_000;
const SHORT_MS = 100;
const SLEEP = 'SELECT pg_sleep(0.5)';

let cluster: Cluster;
let database: Database;
let person: Person;

const open = (statementTimeoutMs: number): Database =>
  openDatabase({
    url: cluster.url,
    connectionsMax: 1,
    connectTimeoutMs: TIMEOUT_MS,
    statementTimeoutMs,
    longStatementTimeoutMs: TIMEOUT_MS,
  });

beforeAll(async () => {
  cluster = startCluster();
  database = open(TIMEOUT_MS);
  await migrate(database);
  const operator = createPostgresOperator(database, commandLine);
  person = await addPerson({ operator }, { credits: 9 });
});

afterAll(async () => {
  await database.close();
  cluster.stop();
});

/** What the audit finds after a change that is not kept. */
async function findAfter(...changes: string[]): Promise<string[]> {
  const undone = new Error('undone');
  let found: string[] = [];
  const work = database.transaction(async (queries) => {
    for (const change of changes) await queries.query(change);
    found = (await auditLedger({ ...database, longSnapshot: (read) => read(queries) })).differences;
    throw undone;
  });
  await expect(work).rejects.toBe(undone);
  return found;
}

const entry = (requestId: string, kind: string, credits: number, balance: number): string =>
  `INSERT INTO ledger_entries (customer_id, key_id, request_id, kind, credits, balance, created_at)
   VALUES (${person.customerId}, ${person.key.id}, '${requestId}', '${kind}', ${credits}, ${balance}, ${NOW})`;

const answer = (requestId: string): string =>
  `INSERT INTO stored_answers
     (customer_id, idempotency_key, fingerprint, request_id, headers, body, bytes, expires_at)
   VALUES (${person.customerId}, '${requestId}', '', '${requestId}', '{}', 'body', 6, ${NOW})`;

describe('the audit', () => {
  it('finds a stored answer without its charge', async () => {
    const about = (found: string[]): string[] =>
      found.filter((line) => line.includes('stored wit'));
    const charge = (id: string): string[] => [entry(id, 'hold', -1, 8), entry(id, 'settle', 0, 8)];
    expect(about(await findAfter(answer('r')))).toEqual([
      `customer ${person.customerId}: the answer to r is stored without its charge`,
    ]);
    expect(about(await findAfter(...charge('r'), answer('r')))).toEqual([]);
    // A batch: its searches are named after it.
    expect(about(await findAfter(...charge('r-1'), answer('r')))).toEqual([]);
    expect(about(await findAfter(...charge('r-x'), answer('r')))).toHaveLength(1);
  });

  it('finds that an operator took back what was not given', async () => {
    const about = (found: string[]): string[] =>
      found.filter((line) => line.includes('takes back credit that was not given'));
    const [gift] = await database.query<{ id: number }>(
      `SELECT id FROM ledger_entries WHERE kind = 'topup' AND customer_id = ${person.customerId}`,
    );
    const takeBack = (id: number | undefined, credits: number): string =>
      `INSERT INTO ledger_entries (customer_id, kind, credits, balance, reference, created_at)
       VALUES (${person.customerId}, 'adjust', ${credits}, 0, 'gift:${id}', ${NOW})`;
    expect(about(await findAfter(takeBack(gift?.id, -1)))).toEqual([]);
    expect(about(await findAfter(takeBack(gift?.id, -1_000)))).toHaveLength(1);
    expect(about(await findAfter(takeBack(0, -1)))).toHaveLength(1);
  });

  it('may take longer than other statements', async () => {
    const impatient = open(SHORT_MS);
    const sleep = (queries: Pick<Database, 'query'>) => queries.query(SLEEP);
    await expect(impatient.snapshot(sleep)).rejects.toMatchObject({ code: 'degraded' });
    expect(await impatient.longSnapshot(sleep)).toHaveLength(1);
    // Only there.
    await expect(impatient.snapshot(sleep)).rejects.toMatchObject({ code: 'degraded' });
    await impatient.close();
  });
});
