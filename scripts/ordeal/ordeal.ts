/** What the sections of an ordeal share: its options, its cores, and what is charged for what was served. */
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { readBooks } from '../measure/accounts.ts';
import { count, some, text, type ValuesOf } from '../measure/options.ts';
import type { Row } from '../measure/report.ts';
import type { Server, ServerOptions } from '../measure/server.ts';
import type { LoadReport } from './load.ts';

const SERVER_CORE = 0;
const LOAD_CORE = 1;

export const options = {
  db: text('use copies of this index (default: the sample)'),
  only: some(['overload', 'kills', 'faults']),
  seconds: count(60, 'length of each overload; capacity is measured for a third of it', 3),
  retrying: count(640, 'clients that retry as soon as they are refused', 100),
  kills: count(100, 'kills under full load', 2),
  seed: count(1, 'draws other moments'),
};

export interface Ordeal {
  options: ValuesOf<typeof options>;
  /** What starts a load generator on its core; empty if nothing is pinned. */
  loadCore: readonly string[];
  /** Copies the index to a folder of its own, adds a customer without limits, and starts a server on its core. */
  start(name: string, options?: ServerOptions): Promise<Started>;
  /** Creates a copy of the index in a folder of its own. Returns the copy's path. */
  copyIndex(name: string): Promise<string>;
  /** Starts a server on its core. */
  serve(database: string, options?: ServerOptions): Promise<Server>;
}

export interface Started {
  server: Server;
  database: string;
  secret: string;
}

export interface SectionReport {
  rows: Row[];
  /** One sentence for each thing that is wrong, whatever the machine. */
  wrong: string[];
}

/** Returns how to pin a server and its clients to a core each, if the machine can. Linux, with taskset. */
export function findCores() {
  const on = (cores: string): string[] => ['taskset', '-c', cores];
  try {
    if (cpus().length <= LOAD_CORE) throw new Error('the machine has one core');
    const [program = '', ...args] = [...on(`${SERVER_CORE},${LOAD_CORE}`), 'true'];
    execFileSync(program, args, { stdio: 'pipe' });
  } catch (error) {
    return { server: [], load: [], text: `not pinned: ${(error as Error).message}` };
  }
  const text = `the server on core ${SERVER_CORE}, its clients on core ${LOAD_CORE}`;
  return { server: on(String(SERVER_CORE)), load: on(String(LOAD_CORE)), text };
}

/**
 * The check of a load whose server or threads died: whoever was charged was served. Who was served may be
 * free.
 */
export function auditDeaths(database: string, reports: readonly LoadReport[]) {
  const served = new Set(reports.flatMap(({ requestIds }) => requestIds));
  const books = readBooks(database);
  const unjust = books.charged.filter((id) => !served.has(id)).length;
  const wrong = [...books.wrong];
  if (unjust > 0) wrong.push(`${unjust} searches were charged without a response`);
  return { served: served.size, charged: books.charged.length, released: books.released, wrong };
}
