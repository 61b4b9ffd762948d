/**
 * A server under load of searches and look-ups is killed repeatedly. Whatever the moment: the
 * ledger adds up, no hold stays, and nobody pays for an answer that they did not get.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { auditLedger } from '../../src/accounts/sqlite/ledger/audit.ts';
import { inStore } from '../support/history.ts';
import { PATIENT } from '../support/patient.ts';
import { QUESTIONS } from '../support/questions.ts';
import { createRandom, testSeed } from '../support/random.ts';
import {
  copySampleIndex,
  createCustomer,
  postSearch,
  removeDatabase,
  type Service,
  startService,
} from '../support/service.ts';

/** VERBATIM_TEST_CASES: how many times as many, for a run of an hour. */
const KILLS = 6 * Number(process.env['VERBATIM_TEST_CASES'] ?? 1);
const TIMEOUT_MS = 200_000 * KILLS;
const CLIENTS = 8;
/** A kill comes when so many answers have arrived, and a moment later. */
const ANSWERS_MAX = 20;
const MOMENT_MS_MAX = 20;
const CREDITS = 100_000;
const seed = testSeed();
const random = createRandom(seed);

const env = {
  VERBATIM_REQUESTS_PER_MINUTE: '1000000',
  VERBATIM_IN_FLIGHT_PER_KEY_MAX: String(8 * CLIENTS),
  VERBATIM_IN_FLIGHT_MAX: String(8 * CLIENTS),
};

interface Traffic {
  /** Requests that were sent. */
  sent: number;
  /** The ids in the ledger of the searches that 200 answers whose body arrived whole have. */
  answered: Set<string>;
  /** Requests that ended otherwise while the server was there. */
  refused: string[];
}

/** Paid look-ups, which are half of the requests. */
const LOOK_UPS = [
  '/v1/paper?id=sample:psychology-spacing-effect,sample:psychology-mental-rotation',
  '/v1/similar?id=sample:psychology-spacing-effect&limit=50&fields=abstract',
];

/** One client in a closed loop: asks again as soon as it has its answer, until it is told to stop. */
async function runClient(
  url: string,
  { secret, traffic, isOver }: { secret: string; traffic: Traffic; isOver: () => boolean },
): Promise<void> {
  while (!isOver()) {
    const query = QUESTIONS[random.below(QUESTIONS.length)];
    // From one short result to many long ones.
    const body = {
      query,
      limit: 1 + random.below(50),
      ...(random.below(2) && { fields: 'abstract' }),
    };
    const questions = Array.from({ length: random.below(2) * (1 + random.below(5)) }, () => body);
    traffic.sent += Math.max(1, questions.length);
    try {
      const path = LOOK_UPS[random.below(2 * LOOK_UPS.length)];
      const response =
        questions.length > 0
          ? await postBatch(url, secret, questions)
          : path === undefined
            ? await postSearch(url, secret, { body })
            : await fetch(url + path, { headers: { Authorization: `Bearer ${secret}` } });
      const text = await response.text();
      if (response.status === 200) {
        for (const id of answeredIds(response, text)) traffic.answered.add(id);
      } else if (!isOver()) traffic.refused.push(`${response.status} ${text}`);
    } catch (error) {
      if (!isOver()) traffic.refused.push(String(error));
      return;
    }
  }
}

function postBatch(url: string, secret: string, questions: unknown[]): Promise<Response> {
  return fetch(`${url}/v1/search/batch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ questions }),
  });
}

/** The searches that a response answers, by their ids in the ledger. */
function answeredIds(response: Response, text: string): string[] {
  const { outcomes } = JSON.parse(text) as {
    outcomes?: { status: number; request_id: string }[];
  };
  if (outcomes === undefined) return [String(response.headers.get('x-request-id'))];
  return outcomes.filter(({ status }) => status === 200).map(({ request_id }) => request_id);
}

interface Books {
  balance: number;
  settled: string[];
  held: number;
  released: number;
}

function readBooks(database: string): Books {
  const db = new Database(database);
  const requests = (kind: string): string[] =>
    db
      .prepare('SELECT request_id FROM ledger_entries WHERE kind = ?')
      .pluck()
      .all(kind) as string[];
  const books = {
    balance: Number(db.prepare('SELECT balance FROM customers').pluck().get()),
    settled: requests('settle'),
    held: requests('hold').length,
    released: requests('release').length,
  };
  db.close();
  return books;
}

describe(`a server that is killed under load, seed ${seed}`, () => {
  let database: string;
  let secret: string;
  let service: Service;
  const traffic: Traffic = { sent: 0, answered: new Set(), refused: [] };

  beforeAll(async () => {
    database = await copySampleIndex();
    ({ secret } = createCustomer(database, { credits: CREDITS }));
    service = await startService(database, env);
  });

  afterAll(async () => {
    await service.end('SIGKILL');
    await removeDatabase(database);
  });

  /** Load until the signal, sent after so many answers; returns when server and clients have ended. */
  async function loadAndEnd(answers: number, signal: NodeJS.Signals): Promise<number | null> {
    let isOver = false;
    const enough = traffic.answered.size + answers;
    const clients = Array.from({ length: CLIENTS }, () =>
      runClient(service.url, { secret, traffic, isOver: () => isOver }),
    );
    await vi.waitUntil(() => traffic.answered.size >= enough || traffic.refused.length > 0, {
      ...PATIENT,
      interval: 1,
    });
    await sleep(random.below(MOMENT_MS_MAX));
    isOver = true;
    const code = await service.end(signal);
    await Promise.all(clients);
    return code;
  }

  /** The books as a restarted server keeps them, with no load on it yet. */
  function checkBooks(): Books {
    const audit = inStore(database, auditLedger);
    expect(audit).toMatchObject({ held: 0, differences: [] });
    const books = readBooks(database);
    expect(books.settled.filter((requestId) => !traffic.answered.has(requestId))).toEqual([]);
    expect(CREDITS - books.balance).toBe(books.settled.length);
    expect(books.held).toBe(books.settled.length + books.released);
    expect(books.held).toBeLessThanOrEqual(traffic.sent);
    return books;
  }

  it(
    `charges only for answers that arrived, ${KILLS} times`,
    async () => {
      for (let kill = 1; kill <= KILLS; kill++) {
        expect(await loadAndEnd(random.below(ANSWERS_MAX), 'SIGKILL')).toBeNull();
        service = await startService(database, env);
        checkBooks();
      }
      const { settled, released } = readBooks(database);
      const { sent, answered, refused } = traffic;
      console.log(
        `seed ${seed}, ${KILLS} kills: ${sent} searches sent, ${answered.size} answered, ` +
          `${settled.length} charged, ${released} holds released`,
      );
      // Otherwise the kills came when there was nothing to lose.
      expect(refused).toEqual([]);
      expect(settled.length).toBeGreaterThan(0);
      expect(released).toBeGreaterThan(0);
      expect(answered.size).toBeLessThan(sent);
    },
    TIMEOUT_MS,
  );

  it('charges for every answer when it stops normally', async () => {
    const before = new Set(traffic.answered);
    expect(await loadAndEnd(ANSWERS_MAX, 'SIGTERM')).toBe(0);
    const { settled } = checkBooks();
    const answered = [...traffic.answered].filter((requestId) => !before.has(requestId));
    expect(answered.length).toBeGreaterThan(0);
    expect(answered.filter((requestId) => !settled.includes(requestId))).toEqual([]);
  });
});
