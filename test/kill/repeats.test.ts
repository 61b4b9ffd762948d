/**
 * A server that answers searches and batches with an Idempotency-Key is killed repeatedly.
 * Whatever the moment: a key is charged once and has its answer, or is not charged and is free.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { auditLedger } from '../../src/accounts/sqlite/ledger/audit.ts';
import { rowsOf } from '../support/accounts.ts';
import { inStore } from '../support/history.ts';
import { PATIENT } from '../support/patient.ts';
import { QUESTIONS } from '../support/questions.ts';
import { createRandom, testSeed } from '../support/random.ts';
import {
  copySampleIndex,
  createCustomer,
  removeDatabase,
  type Service,
  startService,
} from '../support/service.ts';

const KILLS = 5;
const CLIENTS = 8;
/** A kill comes when so many answers have arrived, and a moment later. */
const ANSWERS_MAX = 15;
const MOMENT_MS_MAX = 20;
const VANISH_MS_MAX = 40;
const CREDITS = 100_000;
const QUESTIONS_MAX = 6;
/** More than the clients can have in flight: each waits for one request after it leaves another. */
const SEARCHES_MAX = 4 * CLIENTS * QUESTIONS_MAX;
const UUID_CHARACTERS = 36;
const seed = testSeed();
const random = createRandom(seed);

const env = {
  VERBATIM_REQUESTS_PER_MINUTE: '1000000',
  VERBATIM_IN_FLIGHT_PER_KEY_MAX: String(SEARCHES_MAX),
  VERBATIM_IN_FLIGHT_MAX: String(SEARCHES_MAX),
};

/** A request with a key of its own. */
interface Keyed {
  key: string;
  path: string;
  body: string;
  /** Its answer, once one has arrived. */
  text?: string;
}

interface StoredRow {
  key: string;
  requestId: string;
  body: string;
}

describe(`a server that is killed while it answers requests with keys, seed ${seed}`, () => {
  const requests: Keyed[] = [];
  const refused: string[] = [];
  let database: string;
  let secret: string;
  let service: Service;
  let isOver = false;

  beforeAll(async () => {
    database = await copySampleIndex();
    ({ secret } = createCustomer(database, { credits: CREDITS }));
    service = await startService(database, env);
  });

  afterAll(async () => {
    await service.end('SIGKILL');
    await removeDatabase(database);
  });

  const answered = (): number => requests.filter(({ text }) => text !== undefined).length;

  function newRequest(): Keyed {
    const question = () => ({
      query: QUESTIONS[random.below(QUESTIONS.length)],
      limit: 1 + random.below(30),
    });
    const isBatch = random.below(2) === 0;
    const questions = Array.from({ length: 1 + random.below(QUESTIONS_MAX) }, question);
    const made: Keyed = {
      key: `key-${requests.length}`,
      path: isBatch ? '/v1/search/batch' : '/v1/search',
      body: JSON.stringify(isBatch ? { questions } : question()),
    };
    requests.push(made);
    return made;
  }

  /** Sends a request. Resolves to whether it was a repeat of an answered one. Rejects with the connection. */
  async function send(request: Keyed, signal: AbortSignal | null = null): Promise<boolean> {
    const response = await fetch(service.url + request.path, {
      method: 'POST',
      signal,
      headers: {
        Authorization: `Bearer ${secret}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': request.key,
      },
      body: request.body,
    });
    const text = await response.text();
    if (response.status !== 200) {
      if (!isOver) refused.push(`${response.status} ${text}`);
      return false;
    }
    // Whoever has an answer gets the same again.
    expect(text).toBe(request.text ?? text);
    request.text = text;
    return response.headers.get('idempotency-replayed') === 'true';
  }

  async function runClient(): Promise<void> {
    let vanishes = false;
    while (!isOver) {
      const request = newRequest();
      // Some clients vanish, at any time, but never twice in a row: the requests would pile up.
      vanishes = !vanishes && random.below(3) === 0;
      const signal = vanishes ? AbortSignal.timeout(1 + random.below(VANISH_MS_MAX)) : null;
      try {
        await send(request, signal);
        // Sometimes the client believes that it has heard nothing.
        if (random.below(3) === 0) expect(await send(request)).toBe(true);
      } catch (error) {
        if (signal?.aborted) continue;
        if (!isOver) refused.push(String(error));
        return;
      }
    }
  }

  async function loadAndKill(): Promise<void> {
    isOver = false;
    const enough = answered() + random.below(ANSWERS_MAX);
    const clients = Array.from({ length: CLIENTS }, runClient);
    await vi.waitUntil(() => answered() >= enough || refused.length > 0, {
      ...PATIENT,
      interval: 1,
    });
    await sleep(random.below(MOMENT_MS_MAX));
    isOver = true;
    expect(await service.end('SIGKILL')).toBeNull();
    await Promise.all(clients);
    service = await startService(database, env);
  }

  /** What is stored is what is charged, in the books of a server without load. Returns it by key. */
  function checkBooks(): Map<string, StoredRow> {
    return inStore(database, (db) => {
      expect(auditLedger(db)).toMatchObject({ held: 0, differences: [] });
      const stored = rowsOf(
        db,
        'SELECT idempotency_key AS key, request_id AS requestId, body FROM stored_answers',
      ) as StoredRow[];
      const settled = rowsOf(
        db,
        "SELECT request_id AS id FROM ledger_entries WHERE kind = 'settle'",
      ) as { id: string }[];
      const charged = new Map<string, number>();
      for (const { id } of settled) {
        const request = id.slice(0, UUID_CHARACTERS);
        charged.set(request, (charged.get(request) ?? 0) + 1);
      }
      const owed = new Map(
        stored.map(({ requestId, body }) => [
          requestId,
          (JSON.parse(body) as { credits?: number }).credits ?? 1,
        ]),
      );
      expect(charged).toEqual(owed);
      const balance = db.prepare('SELECT balance FROM customers').pluck().get();
      expect(CREDITS - Number(balance)).toBe(settled.length);
      return new Map(stored.map((row) => [row.key, row]));
    });
  }

  it(`charges each key once, ${KILLS} times`, async () => {
    let repeats = 0;
    let reruns = 0;
    for (let kill = 1; kill <= KILLS; kill++) {
      await loadAndKill();
      const stored = checkBooks();
      for (const { key, text } of requests) {
        if (text !== undefined) expect(stored.get(key)?.body).toBe(text);
      }
      isOver = false;
      for (const request of requests.filter(({ text }) => text === undefined)) {
        const wasStored = stored.has(request.key);
        expect(await send(request)).toBe(wasStored);
        expect(request.text).toBeDefined();
        if (wasStored) repeats++;
        else reruns++;
      }
      expect(checkBooks().size).toBe(requests.length);
    }
    console.log(
      `seed ${seed}, ${KILLS} kills: ${requests.length} keys; without an answer, ${repeats} had been ` +
        `charged and got it, ${reruns} were free and ran again`,
    );
    // Otherwise the kills came when there was nothing to lose.
    expect(refused).toEqual([]);
    expect(repeats).toBeGreaterThan(0);
    expect(reruns).toBeGreaterThan(0);
  }, 1_200_000);
});
