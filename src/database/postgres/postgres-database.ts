/** Statements and transactions on PostgreSQL, through a bounded pool of connections. */
import { hash } from 'node:crypto';
import pg from 'pg';
import { VerbatimError } from '../../errors.ts';
import type { Value } from '../sql/sql.ts';
import { resetConnection } from './reset-connection.ts';

export interface Queries {
  /** Runs a statement. Several in one text are allowed without values. */
  query<Row = unknown>(text: string, values?: readonly Value[]): Promise<Row[]>;
}

export interface Database extends Queries {
  /**
   * Runs work in a transaction, and commits if it resolves. Work that met a deadlock is run again, so it
   * must have no effect but on the database.
   */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** Runs work that reads one snapshot and writes nothing. */
  snapshot<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** The same for work that reads everything: its statements may take `longStatementTimeoutMs`. */
  longSnapshot<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /**
   * The same with statements that run as the snapshot begins, in one round trip with it. Work gets the
   * rows of the last of them. The end of the snapshot is not waited for.
   */
  view<Result>(
    opening: string,
    work: (queries: Queries, rows: unknown[]) => Promise<Result>,
  ): Promise<Result>;
  /** Opens such a snapshot for a reader that is no function. It holds a connection until it is closed. */
  openSnapshot(): Promise<Snapshot>;
  /**
   * Ends all connections at once, without a word to the server. What they wait for rejects with
   * `degraded`, and may have happened or not. Later statements open new ones.
   */
  abandon(): void;
  close(): Promise<void>;
}

export interface Snapshot extends Queries {
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`. */
  url: string;
  connectionsMax: number;
  connectTimeoutMs: number;
  /** The longest that a statement may take, and that it may wait for a lock. */
  statementTimeoutMs: number;
  /** The same for `longSnapshot`. By default it is no longer. */
  longStatementTimeoutMs?: number;
  /** Whether each connection plans a statement with values once. The statements must be few. */
  isPrepared?: boolean;
}

/** The attempts at a transaction that met a deadlock. */
const ATTEMPTS_MAX = 5;
const DEADLOCK = '40P01';
/** Somebody sent us to a replica, or to a primary that was demoted. */
export const READ_ONLY = '25006';
const DISK_FULL = '53100';
/** The login or the database of the address is not known there. */
const REFUSED_AT_THE_DOOR = /^(28|3D)/;
const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
/** The type of `bigint`. Ours are within the safe integers. */
const BIGINT = 20;

const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === BIGINT ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** Opens a pool. It connects with the first statement. */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, connectionsMax, connectTimeoutMs, statementTimeoutMs, isPrepared } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // A server that is cut off never says that the time is over.
    query_timeout: readTimeoutMs(options, statementTimeoutMs),
    keepAlive: true,
    application_name: 'verbatim',
    types,
  });
  // An idle connection that breaks is replaced. The next statement reports what is wrong, if anything.
  pool.on('error', ignore);
  const connected = new Set<pg.PoolClient>();
  pool.on('connect', (client) => connected.add(client));
  pool.on('remove', (client) => connected.delete(client));
  return {
    query: (text, values) => rowsOf(pool, text, values),
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await runTransaction(pool, 'BEGIN', work);
        } catch (error) {
          if (codeOf(error) !== DEADLOCK || attempt === ATTEMPTS_MAX) throw error;
        }
      }
    },
    snapshot: (work) => runTransaction(pool, SNAPSHOT, work),
    longSnapshot(work) {
      const { longStatementTimeoutMs: timeoutMs = statementTimeoutMs } = options;
      const begin = `${SNAPSHOT}; SET LOCAL statement_timeout = ${timeoutMs}`;
      return runTransaction(pool, begin, work, readTimeoutMs(options, timeoutMs));
    },
    view: (opening, work) => runView(pool, { opening, isPrepared }, work),
    abandon: () => connected.forEach(resetConnection),
    openSnapshot: () => openSnapshot(pool),
    close: () => pool.end(),
  };
}

/** How long to wait for a statement that may take so long. */
function readTimeoutMs({ connectTimeoutMs }: DatabaseOptions, timeoutMs: number): number {
  return timeoutMs + connectTimeoutMs;
}

/** The database in a transaction that has begun: further ones are part of it. */
function within(database: Database, queries: Queries): Database {
  return {
    ...database,
    ...queries,
    transaction: (work) => work(queries),
    snapshot: (work) => work(queries),
    longSnapshot: (work) => work(queries),
  };
}

/** Runs work in a transaction that never commits. */
export async function withoutEffect<Result>(
  database: Database,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const rollback = new Error('rollback');
  const results: Result[] = [];
  const running = database.transaction(async (queries) => {
    results.push(await work(within(database, queries)));
    throw rollback;
  });
  await running.catch((error: unknown) => {
    if (error !== rollback) throw error;
  });
  return results.at(-1) as Result;
}

interface ViewOptions {
  opening: string;
  isPrepared: boolean | undefined;
}

async function runView<Result>(
  pool: pg.Pool,
  { opening, isPrepared = false }: ViewOptions,
  work: (queries: Queries, rows: unknown[]) => Promise<Result>,
): Promise<Result> {
  const { client, rows } = await beginView(pool, `${SNAPSHOT}; ${opening}`);
  try {
    const query: Queries['query'] = (text, values) =>
      rowsOf(client, isPrepared && values ? prepared(text) : text, values);
    return await work({ query }, rows);
  } finally {
    // Nothing was written, so nothing depends on how it ends.
    void releaseClient(client);
  }
}

/**
 * A thread that waits for its next search does not notice that a connection was ended meanwhile. So a
 * view that cannot begin on one takes another one, until all of them are new.
 */
async function beginView(
  pool: pg.Pool,
  opening: string,
): Promise<{ client: pg.PoolClient; rows: unknown[] }> {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect().catch(asFault);
    // As in a transaction.
    client.on('error', ignore);
    try {
      // Of several statements in one text, each has a result of its own.
      const answer: unknown = await client.query(opening).catch(asFault);
      const results = answer as { rows: unknown[] }[];
      return { client, rows: results.at(-1)?.rows ?? [] };
    } catch (error) {
      client.off('error', ignore);
      client.release(true);
      const isStale = isDisconnection(error) && !isTimeout(error);
      if (!isStale || attempt > pool.options.max) throw error;
    }
  }
}

async function openSnapshot(pool: pg.Pool): Promise<Snapshot> {
  const client = await pool.connect().catch(asFault);
  // As in a transaction.
  client.on('error', ignore);
  try {
    await rowsOf(client, SNAPSHOT);
  } catch (error) {
    await releaseClient(client);
    throw error;
  }
  return {
    query: (text, values) => rowsOf(client, text, values),
    close: () => releaseClient(client),
  };
}

/** Ends a snapshot, and returns its connection to the pool unless it is broken. */
async function releaseClient(client: pg.PoolClient): Promise<void> {
  const isBroken = await client.query('ROLLBACK').then(
    () => false,
    () => true,
  );
  client.off('error', ignore);
  client.release(isBroken);
}

/** A statement under a name, which tells the connection that it knows it. */
function prepared(text: string): Statement {
  return { text, name: hash('sha1', text) };
}

async function runTransaction<Result>(
  pool: pg.Pool,
  begin: string,
  work: (queries: Queries) => Promise<Result>,
  waitMsMax?: number,
): Promise<Result> {
  const client = await pool.connect().catch(asFault);
  // The statement that runs reports a broken connection. Without a listener the process would end.
  client.on('error', ignore);
  let broken: unknown;
  try {
    await rowsOf(client, begin);
    const limit = waitMsMax === undefined ? {} : { query_timeout: waitMsMax };
    const query: Queries['query'] = (text, values) => rowsOf(client, { text, ...limit }, values);
    const result = await work({ query });
    await rowsOf(client, 'COMMIT');
    return result;
  } catch (error) {
    broken = await client.query('ROLLBACK').then(
      () => undefined,
      (failure: unknown) => failure,
    );
    throw error;
  } finally {
    client.off('error', ignore);
    client.release(broken !== undefined);
  }
}

function ignore(): void {}

/** A statement for pg, which knows it by its name, and waits so many milliseconds for the answer. */
interface Statement {
  text: string;
  name?: string;
  query_timeout?: number;
}

async function rowsOf<Row>(
  client: pg.Pool | pg.PoolClient,
  statement: string | Statement,
  values?: readonly Value[],
): Promise<Row[]> {
  const { rows } = await client.query(statement, values?.map(withoutNul)).catch(asFault);
  return rows as Row[];
}

/** PostgreSQL refuses texts with U+0000. Nothing that is stored has one, so such a text finds nothing. */
function withoutNul(value: Value): Value {
  return typeof value === 'string' ? value.replaceAll('\u0000', '\ufffd') : value;
}

/** The SQLSTATE of an error of PostgreSQL; '' for another one. */
export function codeOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : '';
}

/**
 * Whether an error is a connection that broke or was ended, after which a transaction may be committed
 * or not.
 */
export function isDisconnection(error: unknown): boolean {
  if (!(error instanceof VerbatimError) || error.code !== 'degraded') return false;
  const { cause } = error;
  return !(cause instanceof pg.DatabaseError) || /^(08|57P)/.test(codeOf(cause));
}

/** Whether the server has not answered in time. */
function isTimeout(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && cause.message === 'Query read timeout';
}

/** Whether an error is the violation of a unique index. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === '23505';
}

/** Whether a function of the database raised the error. */
export function isRaised(error: unknown): boolean {
  return codeOf(error) === 'P0001';
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.includes('client password must be')
    ? 'the server wants a password, and the address has none'
    : message;
}

/** Throws `degraded` for what is wrong with the server or the way to it, and otherwise the error. */
function asFault(error: unknown): never {
  if (error instanceof VerbatimError) throw error;
  const code = codeOf(error);
  // A statement that was refused for what it says: data, rights, names, locks.
  const isOurs = /^(0A|2|3|40|42|44|P0)/.test(code) && !REFUSED_AT_THE_DOOR.test(code);
  if (isOurs && code !== READ_ONLY) throw error;
  const reason = reasonOf(error);
  // The reason alone may be that less was written than wanted.
  const fullDisk = code === DISK_FULL ? 'the disk is full: ' : '';
  throw new VerbatimError('degraded', `PostgreSQL: ${fullDisk}${reason}`, { cause: error });
}
