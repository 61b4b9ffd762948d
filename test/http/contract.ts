/** What the contract tests share: exact requests over real sockets, and what every answer obeys. */
import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import Database from 'better-sqlite3';
import { expect, vi } from 'vitest';
import { createKey } from '../../src/accounts/sql/api-keys.ts';
import { type LedgerEntry, listEntries, topUp } from '../../src/accounts/sql/credit-entries.ts';
import { addCustomer, findCustomer } from '../../src/accounts/sql/customers.ts';
import type { AuditReport } from '../../src/accounts/sql/kept-audits.ts';
import { auditLedger } from '../../src/accounts/sqlite/ledger/audit.ts';
import { openStore } from '../../src/database/open.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { changeOnSqlite, runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { type ErrorCode, errorTable } from '../../src/errors.ts';
import { expectDescribed } from '../support/openapi.ts';
import { PATIENT } from '../support/patient.ts';
import { CUSTOMER, type Service } from '../support/service.ts';

export interface Sent {
  method?: string;
  path?: string;
  /** Sent as they are, nothing is added but `Host` and what frames the body. */
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  agent?: Agent;
}

export interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as it was sent, compressed where it was. */
  bytes: Buffer;
}

/**
 * One request. Unlike fetch it adds no header of its own, and each has its own connection. Fails if
 * /openapi.json does not describe the request and its answer.
 */
export async function send(url: string, sent: Sent): Promise<Got> {
  const got = await sendOnly(url, sent);
  const { method = 'GET', path = '/', body } = sent;
  const isPlain = got.headers['content-encoding'] === undefined;
  expectDescribed({
    method,
    path,
    sent: typeof body === 'string' ? body : undefined,
    status: got.status,
    headers: got.headers,
    text: isPlain ? got.text : undefined,
  });
  return got;
}

function sendOnly(
  url: string,
  { method = 'GET', path = '/', headers = {}, body, agent }: Sent,
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const outgoing = request(
      // Not a URL, which would be tidied: the path is sent as it is.
      { hostname, port, path, method, headers, agent: agent ?? false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const { statusCode: status = 0, headers } = incoming;
          resolve({ status, headers, text: bytes.toString('utf8'), bytes });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export interface Caller {
  url: string;
  secret: string;
}

export interface Account {
  email?: string;
  credits?: number;
  requestsPerMinute?: number;
  inFlightMax?: number;
}

/** A customer with a key, who may come while the server runs. */
export function addAccount(
  { url, database }: Pick<Service, 'url' | 'database'>,
  { email = CUSTOMER, credits = 0, requestsPerMinute, inFlightMax }: Account,
): Caller & { prefix: string } {
  const now = Date.now();
  const caps = {
    requestsPerMinute: requestsPerMinute ?? null,
    inFlightMax: inFlightMax ?? null,
  };
  return inStore(database, (db) => {
    const customerId = changeOnSqlite(db, addCustomer({ email, now })).id;
    if (credits > 0) changeOnSqlite(db, topUp({ customerId, credits, now }));
    const { key, secret } = changeOnSqlite(
      db,
      createKey({ customerId, name: 'default', ...caps, now }),
    );
    return { url, secret, prefix: key.prefix };
  });
}

export function bearer(secret: string): Record<string, string> {
  return { authorization: `Bearer ${secret}` };
}

/** POST /v1/search. A body that is no string and no bytes is sent as JSON. */
export function search(
  { url, secret }: Caller,
  body: unknown = { query: 'does sleep help memory' },
  { headers = {}, agent }: Pick<Sent, 'headers' | 'agent'> = {},
): Promise<Got> {
  return send(url, {
    method: 'POST',
    path: '/v1/search',
    headers: { ...bearer(secret), 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    ...(agent === undefined ? {} : { agent }),
  });
}

export function getUsage({ url, secret }: Caller, agent?: Agent): Promise<Got> {
  const headers = bearer(secret);
  return send(url, { path: '/v1/usage', headers, ...(agent === undefined ? {} : { agent }) });
}

export interface Usage {
  period: string;
  requests: number;
  credits: number;
  balance: number;
}

export async function readUsage(caller: Caller): Promise<Usage> {
  const { status, text } = await getUsage(caller);
  expect(status, text).toBe(200);
  return JSON.parse(text) as Usage;
}

/** Waits until the searches that were answered are settled: that follows their answers. */
export async function untilUsage(caller: Caller, expected: Partial<Usage>): Promise<void> {
  await vi.waitFor(async () => expect(await readUsage(caller)).toMatchObject(expected), PATIENT);
}

/** Waits until /health says so; returns its whole answer. */
export async function untilHealth(
  url: string,
  expected: Record<string, unknown>,
  timeout = 10_000,
): Promise<Got> {
  return vi.waitFor(
    async () => {
      const got = await send(url, { path: '/health' });
      expect(JSON.parse(got.text)).toMatchObject(expected);
      return got;
    },
    { timeout, interval: 50 },
  );
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const WHOLE_NUMBER = /^\d+$/;

const requestIds = new Set<string>();

/** The id of an answer's request, which no other answer of this file has had. */
export function takeRequestId({ headers }: Got): string {
  const id = String(headers['x-request-id']);
  expect(id).toMatch(UUID);
  expect(requestIds).not.toContain(id);
  requestIds.add(id);
  return id;
}

export interface ExpectedError {
  status: number;
  /** Exact, or what it must match where the specification leaves the words open. */
  message: string | RegExp;
  /** The code that programs read; where it is not named, any code of this status. */
  code?: ErrorCode;
  /** Whether the key was accepted, so that the answer tells its rate. */
  authenticated?: boolean;
  /** Further headers, exact. Those of credit and waiting must be absent otherwise. */
  headers?: Record<string, string | RegExp>;
}

const OCCASIONAL_HEADERS = ['x-credit-balance', 'x-token-budget', 'retry-after', 'allow'] as const;

/** Checks an error to the letter: status, short plain text, its headers and no others. */
export function expectError(
  got: Got,
  { status, message, code, authenticated = true, headers = {} }: ExpectedError,
): void {
  expect(got.status, got.text).toBe(status);
  if (typeof message === 'string') expect(got.text).toBe(message);
  else expect(got.text).toMatch(message);
  expect(got.headers['content-type']).toMatch(/^text\/plain(;|$)/);
  takeRequestId(got);
  expectErrorHeaders(got, code);
  expect('www-authenticate' in got.headers, 'www-authenticate').toBe(status === 401);
  expectRateHeaders(got, authenticated);
  for (const name of OCCASIONAL_HEADERS) {
    const expected = headers[name];
    if (expected === undefined) expect(got.headers, name).not.toHaveProperty(name);
    else if (typeof expected === 'string') expect(got.headers[name], name).toBe(expected);
    else expect(got.headers[name], name).toMatch(expected);
  }
}

/** What every error has, whoever asks: its code, no compression, and no way into a cache. */
export function expectErrorHeaders({ status, headers }: Got, code?: ErrorCode): void {
  const errorCode = String(headers['x-error-code']);
  expect(errorTable).toHaveProperty(errorCode);
  expect(errorTable[errorCode as ErrorCode]).toMatchObject({ status });
  if (code !== undefined) expect(errorCode).toBe(code);
  expect(headers).not.toHaveProperty('content-encoding');
  expect(headers['cache-control']).toBe('no-store');
}

/** Every authenticated answer tells the key's rate, in both forms; no other does. */
export function expectRateHeaders({ headers }: Got, authenticated: boolean): void {
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
    if (authenticated) expect(headers[name], name).toMatch(WHOLE_NUMBER);
    else expect(headers, name).not.toHaveProperty(name);
  }
  const { 'ratelimit-limit': limit, 'ratelimit-remaining': remaining } = headers;
  const policy = authenticated ? `"default";q=${limit};w=60` : undefined;
  const available = authenticated
    ? `"default";r=${remaining};t=${headers['ratelimit-reset']}`
    : undefined;
  expect(headers['ratelimit-policy']).toBe(policy);
  expect(headers['ratelimit']).toBe(available);
}

/** 2,048 characters: the slowest query that there is. */
export const LONG_QUERY = `${'memory consolidation during sleep '.repeat(60)}${'ab'.repeat(4)}`;

/** Works on a database beside the server that runs on it, as another process would. */
function inStore<Result>(database: string, work: (db: Connection) => Result): Result {
  const db = openStore({ path: database, lockWaitMs: 5_000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Audits the ledger: it must add up at any time, and nothing is held when all is settled. */
export async function expectAudited(database: string): Promise<void> {
  const audit = (): AuditReport => inStore(database, auditLedger);
  expect(audit().differences).toEqual([]);
  // A search is settled a moment after its answer.
  await vi.waitFor(() => expect(audit()).toMatchObject({ held: 0, differences: [] }), PATIENT);
}

/** The ledger of a customer, newest entry first. */
export function ledger(database: string, email: string = CUSTOMER): LedgerEntry[] {
  return inStore(database, (db) =>
    runOnSqlite(
      db,
      listEntries({ customerId: runOnSqlite(db, findCustomer(email)).id, limit: 1_000 }),
    ),
  );
}

/**
 * Stops all writing to the database until the function it returns is called: a search waits for
 * its hold, in flight, for as long as a test needs.
 */
export function holdWriters(database: string): () => void {
  const db = new Database(database);
  db.exec('BEGIN IMMEDIATE');
  return () => {
    if (db.open) db.exec('ROLLBACK');
    db.close();
  };
}

/**
 * Sends one search more than there are places; resolves when that one is refused, and all places
 * are taken. Writing must be held, or a search could end before the last one has come.
 */
export async function fillPlaces(
  caller: Caller,
  places: number,
): Promise<{ refused: Got; admitted: Promise<Got>[] }> {
  const searches = Array.from({ length: places + 1 }, () => search(caller, { query: LONG_QUERY }));
  const first = await Promise.race(
    searches.map(async (searching, index) => ({ got: await searching, index })),
  );
  return { refused: first.got, admitted: searches.filter((_, index) => index !== first.index) };
}

/** A connection that a test writes to piece by piece. */
export interface RawConnection {
  socket: Socket;
  /** All that came back so far. */
  text(): string;
  closed: Promise<void>;
}

export function openConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    const closed = new Promise<void>((done) => socket.once('close', () => done()));
    socket.once('error', reject);
    socket.once('connect', () => {
      // What happens to the connection later is the test's to see.
      socket.on('error', () => {});
      resolve({ socket, closed, text: () => Buffer.concat(chunks).toString('utf8') });
    });
  });
}

/** The head of a search request whose body of that many bytes is to follow. */
export function searchHead(secret: string, bytes: number): string {
  return [
    ...['POST /v1/search HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${secret}`],
    ...['Content-Type: application/json', `Content-Length: ${bytes}`, '', ''],
  ].join('\r\n');
}

/** The log's entries of one kind. */
export function logged(service: Service, event: string): Record<string, unknown>[] {
  return service.log.filter((entry) => entry['event'] === event);
}
