/** The beginning and the end of a server: starting, one to a database, and draining. */
import { existsSync } from 'node:fs';
import { Agent } from 'node:http';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PATIENT } from '../support/patient.ts';
import { copySampleIndex, removeDatabase, type Service, startService } from '../support/service.ts';
import {
  addAccount,
  type Caller,
  expectAudited,
  expectError,
  fillPlaces,
  type Got,
  getUsage,
  holdWriters,
  ledger,
  logged,
  search,
  send,
  takeRequestId,
} from './contract.ts';

const CREDITS = 100;

let database: string;
let secret: string;
let release = (): void => {};

beforeEach(async () => {
  database = await copySampleIndex();
  ({ secret } = addAccount({ url: '', database }, { credits: CREDITS }));
});

afterEach(async () => {
  release();
  await removeDatabase(database);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : expect.fail();
}

/** Asks for /health until the service is ready; returns all answers. */
async function watchHealth(url: string): Promise<Got[]> {
  const answers: Got[] = [];
  while (answers.at(-1)?.status !== 200) {
    const got = await send(url, { path: '/health' }).catch(() => undefined);
    if (got !== undefined) answers.push(got);
  }
  return answers;
}

describe('/health', () => {
  it('returns 503 until the service is ready, and needs no key', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const watching = watchHealth(url);
    const service = await startService(database, { VERBATIM_PORT: String(port) });
    const answers = await watching;
    const ready = answers.pop() ?? expect.fail();
    for (const got of answers) {
      expect(got.status).toBe(503);
      expect(JSON.parse(got.text)).toEqual({ status: 'starting' });
      expect(got.headers['content-type']).toMatch(/^application\/json(;|$)/);
      expect(got.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      takeRequestId(got);
    }
    takeRequestId(ready);
    expect(ready.headers['content-type']).toMatch(/^application\/json(;|$)/);
    expect(JSON.parse(ready.text)).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      documents: expect.any(Number),
      sentences: expect.any(Number),
      index_engine: 'sqlite',
      model: expect.any(String),
      uptime_s: expect.any(Number),
    });
    expect(JSON.parse(ready.text).documents).toBeGreaterThanOrEqual(150);
    expect(Number.isInteger(JSON.parse(ready.text).uptime_s)).toBe(true);
    const head = await send(url, { method: 'HEAD', path: '/health' });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(await service.end()).toBe(0);
  });
});

describe('a second server on the same database', () => {
  it('is refused with a clear message, and the first keeps serving', async () => {
    const service = await startService(database);
    const second = startService(database);
    await expect(second).rejects.toThrow(/exited with 1/);
    await expect(second).rejects.toThrow(
      `another verbatim process is serving or migrating ${database}`,
    );
    expect((await search({ url: service.url, secret })).status).toBe(200);
    expect(await service.end()).toBe(0);
    const third = await startService(database);
    expect(await third.end()).toBe(0);
  });
});

interface Stopping {
  service: Service;
  caller: Caller;
  admitted: Promise<Got>[];
  exited: Promise<number | null>;
}

/** A server that is told to stop while all its places are taken by searches that wait. */
async function stopInFlight(
  places: number,
  prepare?: (caller: Caller) => Promise<void>,
): Promise<Stopping> {
  const service = await startService(database, {
    VERBATIM_IN_FLIGHT_MAX: String(places),
    VERBATIM_IN_FLIGHT_PER_KEY_MAX: '1000',
    VERBATIM_LOCK_WAIT_MS: '60000',
  });
  const caller = { url: service.url, secret };
  await prepare?.(caller);
  release = holdWriters(database);
  const { admitted } = await fillPlaces(caller, places);
  const exited = service.end('SIGTERM');
  await vi.waitFor(() => expect(logged(service, 'stopping')).toHaveLength(1), PATIENT);
  return { service, caller, admitted, exited };
}

/** Nothing is lost, nothing is held, and the file is closed. */
async function expectClosedCleanly(searches: number): Promise<void> {
  for (const suffix of ['-wal', '-shm']) expect(existsSync(database + suffix), suffix).toBe(false);
  await expectAudited(database);
  const entries = ledger(database);
  expect(entries.filter(({ kind }) => kind === 'hold')).toHaveLength(searches);
  expect(entries.filter(({ kind }) => kind === 'settle')).toHaveLength(searches);
  expect(entries[0]?.balance).toBe(CREDITS - searches);
}

describe('SIGTERM', () => {
  it.each([1, 6])(
    'lets %i searches in flight finish, refuses new ones, and closes the file',
    async (places) => {
      const { service, caller, admitted, exited } = await stopInFlight(places);
      expect(logged(service, 'stopping')[0]).toMatchObject({
        signal: 'SIGTERM',
        in_flight: places,
      });
      await expect(search(caller)).rejects.toThrow('ECONNREFUSED');
      await expect(send(service.url, { path: '/health' })).rejects.toThrow('ECONNREFUSED');
      release();
      for (const got of await Promise.all(admitted)) {
        expect(got.status, got.text).toBe(200);
        expect(JSON.parse(got.text).n).toBe(10);
      }
      expect(await exited).toBe(0);
      expect(service.log.at(-1)?.['event']).toBe('stopped');
      await expectClosedCleanly(places);
    },
  );
});

describe('an open connection when the server stops', () => {
  it('gets 503 for a new search and is closed', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { caller, admitted, exited } = await stopInFlight(1, async (ready) => {
      expect((await getUsage(ready, agent)).status).toBe(200);
    });
    const refused = await search(caller, { query: 'sleep' }, { agent });
    expectError(refused, {
      status: 503,
      message: 'server at capacity, retry shortly',
      headers: { 'retry-after': /^[1-9]\d*$/ },
    });
    await expect(getUsage(caller, agent)).rejects.toThrow('ECONNREFUSED');
    release();
    for (const got of await Promise.all(admitted)) expect(got.status).toBe(200);
    expect(await exited).toBe(0);
    await expectClosedCleanly(1);
    agent.destroy();
  });
});

describe('SIGINT', () => {
  it('stops an idle server at once, even with open connections', async () => {
    const agent = new Agent({ keepAlive: true });
    const service = await startService(database);
    expect((await search({ url: service.url, secret }, undefined, { agent })).status).toBe(200);
    expect(await service.end('SIGINT')).toBe(0);
    await expectClosedCleanly(1);
    agent.destroy();
  });
});
