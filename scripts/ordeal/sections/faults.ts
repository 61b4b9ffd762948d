/**
 * Takes a server's disk, its clock, and its lock away. While a fault lasts, the server says so and
 * charges nobody; when it is over, the server serves again by itself.
 */
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { sampleTitles } from '../../bench/sample-titles.ts';
import { type Server, startServer } from '../../bench/server.ts';
import { createCustomer, readBooks, UNLIMITED } from '../accounts.ts';
import { createFaultControl, type FaultControl } from '../fault-control.ts';
import type { Ordeal, Row, SectionReport } from '../section.ts';
import { corruptPages } from './corrupt-pages.ts';

/** Short waits, so that a fault and its end are noticed soon. */
const QUICK = {
  VERBATIM_LOCK_WAIT_MS: '200',
  VERBATIM_LEDGER_RETRY_MS: '200',
  VERBATIM_DATABASE_CHECK_MS: '200',
  VERBATIM_WARM_UP_SEARCHES: '0',
};
const DAY_SECONDS = 86_400;
const NOTICE_MS_MAX = 30_000;
const ASK_INTERVAL_MS = 50;

interface Scene {
  server: Server;
  secret: string;
  database: string;
  control: FaultControl;
  /** Responses by status, from the start. */
  statuses: Map<number, number>;
  asked: number;
}

interface Fault {
  name: string;
  /** Starts the fault. Returns what ends it. */
  begin(scene: Scene): () => void;
  /** Whether searches fail while it lasts. */
  stopsSearches: boolean;
}

const writing = (name: string, writeErrno: number): Fault => ({
  name,
  stopsSearches: true,
  begin({ control }) {
    control.set({ writeErrno });
    return () => control.set({});
  },
});

const clock = (name: string, clockOffsetSeconds: number): Fault => ({
  name,
  stopsSearches: false,
  begin({ control }) {
    control.set({ clockOffsetSeconds });
    // The next fault jumps back.
    return () => control.set({});
  },
});

const { EIO, ENOSPC, EROFS } = constants.errno;

const list: readonly Fault[] = [
  writing('disk full (ENOSPC)', ENOSPC),
  writing('disk read-only (EROFS)', EROFS),
  writing('writes fail (EIO)', EIO),
  {
    name: 'locked by another process',
    stopsSearches: true,
    begin({ database }) {
      const db = new Database(database);
      db.exec('BEGIN IMMEDIATE');
      return () => db.close();
    },
  },
  clock('clock a day ahead', DAY_SECONDS),
  clock('clock 40 days behind', -40 * DAY_SECONDS),
];

export async function faults(ordeal: Ordeal): Promise<SectionReport> {
  const { cores, say } = ordeal;
  const database = await ordeal.copyIndex('faults');
  const control = createFaultControl(dirname(database));
  if (control === undefined) {
    return { rows: [{ measure: 'faults', value: 'left out: there is no C compiler' }], wrong: [] };
  }
  const secret = createCustomer(database, 'faults', UNLIMITED);
  const events: string[] = [];
  const server = await startServer(database, {
    through: cores.server,
    env: { ...QUICK, ...control.env },
    onLine: (line) => events.push(line),
  });
  const scene: Scene = { server, secret, database, control, statuses: new Map(), asked: 0 };
  const rows: Row[] = [];
  const wrong: string[] = [];
  for (const fault of list) {
    say(`  ${fault.name} …`);
    const problems = await undergo(scene, fault);
    rows.push({
      measure: fault.name,
      value: problems.length === 0 ? 'said, survived, recovered' : problems.join('; '),
    });
    wrong.push(...problems.map((problem) => `${fault.name}: ${problem}`));
  }
  await server.stop();
  const { charged, wrong: books } = readBooks(database);
  const served = scene.statuses.get(200) ?? 0;
  wrong.push(...books);
  if (charged.length !== served) wrong.push(`${served} searches served, ${charged.length} charged`);
  const stops = list.filter(({ stopsSearches }) => stopsSearches).length;
  for (const event of ['degraded', 'recovered']) {
    const count = events.filter((line) => line.includes(`"event":"${event}"`)).length;
    if (count !== stops) wrong.push(`the log says ${event} ${count} times, not ${stops}`);
  }
  const pages = await corruptPages(ordeal);
  return { rows: [...rows, ...pages.rows], wrong: [...wrong, ...pages.wrong] };
}

/** Returns what is wrong with the server before, during, and after a fault. */
async function undergo(scene: Scene, fault: Fault): Promise<string[]> {
  const problems: string[] = [];
  const expectStatus = async (when: string, status: number): Promise<void> => {
    if (!(await reaches(scene, status))) problems.push(`no ${status} ${when}`);
  };
  await expectStatus('before', 200);
  const end = fault.begin(scene);
  if (fault.stopsSearches) {
    await expectStatus('during', 503);
    const health = await fetch(`http://127.0.0.1:${scene.server.port}/health`);
    const text = await health.text();
    if (health.status !== 503 || !text.includes('"degraded"')) {
      problems.push(`/health said ${health.status} ${text}`);
    }
  } else await expectStatus('during', 200);
  end();
  await expectStatus('afterwards', 200);
  return problems;
}

/** Asks until a search has this status. Other statuses may only be 200 or 503. */
async function reaches(scene: Scene, status: number): Promise<boolean> {
  const deadline = performance.now() + NOTICE_MS_MAX;
  while (performance.now() < deadline) {
    if ((await ask(scene)) === status) return true;
    await wait(ASK_INTERVAL_MS);
  }
  return false;
}

async function ask(scene: Scene): Promise<number> {
  const titles = sampleTitles();
  const query = titles[scene.asked++ % titles.length];
  const response = await fetch(`http://127.0.0.1:${scene.server.port}/v1/search`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${scene.secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  await response.text();
  scene.statuses.set(response.status, (scene.statuses.get(response.status) ?? 0) + 1);
  return response.status;
}
