/** What a server exposes: the right numbers, and nothing of what its callers wrote. */
import { describe, expect, it, vi } from 'vitest';
import { noteBackup } from '../../src/database/sqlite/last-backup.ts';
import { searchStages } from '../../src/http/search-stages.ts';
import type { Reading } from '../../src/metrics/exposition.ts';
import {
  addAccount,
  bearer,
  type Caller,
  openConnection,
  search,
  send,
  untilUsage,
} from '../http/contract.ts';
import { PATIENT } from '../support/patient.ts';
import { scrape } from '../support/scrape.ts';
import { useService } from '../support/use-service.ts';

const service = useService();
let customers = 0;

function newCaller(credits = 10): Caller {
  return addAccount(service, { email: `customer-${++customers}@example.org`, credits });
}

const SEARCHES = { route: '/v1/search' };

/** How much a sum has grown between two scrapes. */
function growth(before: Reading, after: Reading) {
  return (name: string, labels: Record<string, string> = {}): number =>
    (after.sum(name, labels) ?? 0) - (before.sum(name, labels) ?? 0);
}

describe('/metrics', () => {
  it('counts a search with its stages, its hold, and its credit', async () => {
    const before = await scrape(service.metricsUrl);
    const caller = newCaller();
    expect((await search(caller)).status).toBe(200);
    await untilUsage(caller, { requests: 1 });
    const after = await scrape(service.metricsUrl);
    const grown = growth(before, after);
    expect(grown('verbatim_http_requests_total', { ...SEARCHES, status: '200' })).toBe(1);
    expect(grown('verbatim_http_request_duration_seconds_count', SEARCHES)).toBe(1);
    expect(grown('verbatim_search_duration_seconds_count')).toBe(1);
    const duration = grown('verbatim_search_duration_seconds_sum');
    for (const stage of searchStages.filter((name) => name !== 'lanes' && name !== 'rerank')) {
      expect(grown('verbatim_search_stage_duration_seconds_count', { stage }), stage).toBe(1);
      const seconds = grown('verbatim_search_stage_duration_seconds_sum', { stage });
      // A search that waits for nobody spends next to no time in the queue.
      if (stage === 'queue') expect(seconds, stage).toBeGreaterThanOrEqual(0);
      else expect(seconds, stage).toBeGreaterThan(0);
      expect(seconds, stage).toBeLessThan(duration);
    }
    const local = searchStages
      .filter((name) => name !== 'lanes' && name !== 'ledger')
      .map((stage) => grown('verbatim_search_stage_duration_seconds_sum', { stage }));
    expect(local.reduce((sum, seconds) => sum + seconds, 0)).toBeLessThanOrEqual(duration);
    expect(grown('verbatim_holds_total')).toBe(1);
    expect(grown('verbatim_holds_settled_total')).toBe(1);
    expect(grown('verbatim_holds_released_total')).toBe(0);
    expect(grown('verbatim_credits_charged_total')).toBe(1);
    expect(after.sum('verbatim_holds_open')).toBe(0);
    expect(after.sum('verbatim_searches_in_flight')).toBe(0);
  });

  it('counts errors by their status, and pages by their pattern', async () => {
    const before = await scrape(service.metricsUrl);
    const caller = newCaller(0);
    expect((await search(caller)).status).toBe(402);
    expect((await search(caller, { query: '' })).status).toBe(400);
    expect((await search({ ...caller, secret: 'sk_live_wrong' })).status).toBe(401);
    await send(service.url, { path: '/dashboard/try/some-name' });
    await send(service.url, { path: '/nothing-of-ours' });
    const grown = growth(before, await scrape(service.metricsUrl));
    for (const status of ['400', '401', '402']) {
      expect(grown('verbatim_http_requests_total', { ...SEARCHES, status })).toBe(1);
    }
    expect(grown('verbatim_http_requests_total', { route: '(unknown)', status: '404' })).toBe(1);
    expect(grown('verbatim_search_duration_seconds_count')).toBe(0);
    expect(grown('verbatim_holds_total')).toBe(0);
  });

  it('describes the process, its threads, the database, and the index', async () => {
    const reading = await scrape(service.metricsUrl);
    const numberOf = (name: string): number => reading.sum(name) ?? Number.NaN;
    expect(numberOf('verbatim_index_documents')).toBe(214);
    expect(numberOf('verbatim_index_sentences')).toBeGreaterThan(1_000);
    expect(numberOf('verbatim_index_last_build_timestamp_seconds')).toBeGreaterThan(1.7e9);
    expect(numberOf('verbatim_database_size_bytes')).toBeGreaterThan(1e6);
    expect(numberOf('verbatim_database_wal_size_bytes')).toBeGreaterThanOrEqual(0);
    expect(numberOf('verbatim_database_disk_free_bytes')).toBeGreaterThan(0);
    expect(reading.sum('verbatim_database_last_backup_timestamp_seconds')).toBeUndefined();
    noteBackup(service.database, '/backups/a.db');
    const age =
      Date.now() / 1000 -
      ((await scrape(service.metricsUrl)).sum('verbatim_database_last_backup_timestamp_seconds') ??
        0);
    expect(Math.abs(age)).toBeLessThan(60);
    expect(reading.sum('verbatim_certificate_end_timestamp_seconds')).toBeUndefined();
    expect(numberOf('process_resident_memory_bytes')).toBeGreaterThan(5e7);
    expect(numberOf('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(numberOf('process_open_fds')).toBeGreaterThan(3);
    expect(numberOf('verbatim_ready')).toBe(1);
    expect(numberOf('verbatim_ledger_degraded')).toBe(0);
    expect(numberOf('verbatim_answers_stored')).toBe(0);
    expect(numberOf('verbatim_answers_stored_bytes')).toBe(0);
    expect(reading.sum('verbatim_threads', { role: 'search' })).toBe(1);
    expect(reading.sum('verbatim_threads', { role: 'ledger' })).toBe(1);
    expect(reading.sum('verbatim_queue_length')).toBe(0);
    // Measured ten times a second, so it comes.
    await vi.waitFor(async () => {
      const later = await scrape(service.metricsUrl);
      expect(later.sum('verbatim_event_loop_delay_seconds_count')).toBeGreaterThan(0);
      expect(later.sum('verbatim_event_loop_busy_seconds_total')).toBeGreaterThan(0);
    }, PATIENT);
  });

  it('contains no secret, no question, and nothing else that a caller wrote', async () => {
    const caller = newCaller();
    const word = 'quokkasaurus';
    await search(caller, { query: `does the ${word} sleep` });
    await send(service.url, { path: `/${word}?${word}=1`, headers: bearer(caller.secret) });
    await send(service.url, { method: word.toUpperCase(), path: '/v1/search' });
    await send(service.metricsUrl, { path: `/${word}` });
    const { text } = await scrape(service.metricsUrl);
    expect(text.toLowerCase()).not.toContain(word);
    expect(text).not.toContain(caller.secret.slice('sk_live_'.length));
    expect(text).not.toContain('example.org');
  });

  it('answers scrapes at the same time, each completely', async () => {
    const namesOf = (text: string): string[] => text.match(/^\w+(?:\{.*\})?/gm) ?? [];
    const alone = namesOf((await scrape(service.metricsUrl)).text);
    const together = await Promise.all(
      Array.from({ length: 20 }, () => scrape(service.metricsUrl)),
    );
    for (const { text } of together) expect(namesOf(text)).toEqual(alone);
  });
});

describe('the probes', () => {
  it('say that the server lives and is ready, as /health does', async () => {
    const live = await send(service.metricsUrl, { path: '/live' });
    expect([live.status, JSON.parse(live.text)]).toEqual([200, { status: 'ok' }]);
    const ready = await send(service.metricsUrl, { path: '/ready' });
    expect(ready.status).toBe(200);
    const health = JSON.parse((await send(service.url, { path: '/health' })).text);
    expect({ ...JSON.parse(ready.text), uptime_s: 0 }).toEqual({ ...health, uptime_s: 0 });
  });

  it.each(['/metrics', '/live', '/ready'])('do not serve %s where the API is', async (path) => {
    expect((await send(service.url, { path })).status).toBe(404);
  });
});

describe('other requests to the address of the metrics', () => {
  it.each<[string, string, number]>([
    ['POST', '/metrics', 405],
    ['DELETE', '/live', 405],
    ['GET', '/', 404],
    ['GET', '/v1/search', 404],
    ['GET', '/__proto__', 404],
  ])('are refused: %s %s', async (method, path, status) => {
    const got = await send(service.metricsUrl, {
      method,
      path,
      body: method === 'GET' ? '' : '{}',
    });
    expect(got.status).toBe(status);
    expect(got.headers['allow']).toBe(status === 405 ? 'GET, HEAD' : undefined);
  });

  it('get the head of the metrics', async () => {
    const got = await send(service.metricsUrl, { method: 'HEAD', path: '/metrics' });
    expect(got).toMatchObject({ status: 200, text: '' });
    expect(Number(got.headers['content-length'])).toBeGreaterThan(1_000);
  });

  it.each([
    ['rubbish', 'rub bish\r\n\r\n'],
    ['binary', '\u0000\u0001\u0002\u0003\r\n\r\n'],
    [
      'two lengths',
      'GET /live HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n',
    ],
  ])('are refused if they are malformed: %s', async (_name, bytes) => {
    const { socket, text } = await openConnection(service.metricsUrl);
    socket.write(bytes);
    await expect.poll(text).toMatch(/^HTTP\/1\.1 (400|505) /);
    socket.destroy();
    expect((await send(service.metricsUrl, { path: '/live' })).status).toBe(200);
  });

  it('leave nothing in the log', () => {
    expect(service.log.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  });
});
