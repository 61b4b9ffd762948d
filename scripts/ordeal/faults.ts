/**
 * Takes a server's disk, its clock, and its lock away. While a fault lasts, the server says so and
 * charges nobody; when it is over, the server serves again by itself.
 */
import { constants } from 'node:os';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { auditServed } from '../measure/accounts.ts';
import { createClient, searchRequest } from '../measure/clients.ts';
import { type Row, say } from '../measure/report.ts';
import { sampleTitles } from '../measure/sample.ts';
import { healthOf } from '../measure/server.ts';
import { becomesTrue } from '../measure/until.ts';
import { createFaultControl, type FaultControl } from './fault-control.ts';
import type { Ordeal, SectionReport, Started } from './ordeal.ts';

/** Short waits, so that a fault and its end are noticed soon. */
const QUICK = { VERBATIM_LOCK_WAIT_MS: '200', VERBATIM_WARM_UP_SEARCHES: '0' };
const LIMITS = { ledgerRetryMs: 200, databaseCheckMs: 200 };
const DAY_SECONDS = 86_400;
const NOTICE_MS_MAX = 30_000;
const { EIO, ENOSPC, EROFS } = constants.errno;

interface Fault {
  name: string;
  /** Starts the fault. Returns what ends it. */
  begin(control: FaultControl, database: string): () => unknown;
  /** Whether searches fail while it lasts. */
  stopsSearches: boolean;
}

type Settings = Parameters<FaultControl['set']>[0];

function setting(name: string, stopsSearches: boolean, faults: Settings): Fault {
  const begin: Fault['begin'] = ({ set }) => {
    set(faults);
    return () => set({});
  };
  return { name, stopsSearches, begin };
}

const list: readonly Fault[] = [
  setting('disk full (ENOSPC)', true, { writeErrno: ENOSPC }),
  setting('disk read-only (EROFS)', true, { writeErrno: EROFS }),
  setting('writes fail (EIO)', true, { writeErrno: EIO }),
  {
    name: 'locked by another process',
    stopsSearches: true,
    begin(_, database) {
      const db = new Database(database);
      db.exec('BEGIN IMMEDIATE');
      return () => db.close();
    },
  },
  // The second one jumps back.
  setting('clock a day ahead', false, { clockOffsetSeconds: DAY_SECONDS }),
  setting('clock 40 days behind', false, { clockOffsetSeconds: -40 * DAY_SECONDS }),
];

export async function faults(ordeal: Ordeal): Promise<SectionReport> {
  const database = await ordeal.copyIndex('control');
  const control = createFaultControl(dirname(database));
  if (control === undefined) {
    return { rows: [{ measure: 'faults', value: 'left out: there is no C compiler' }], wrong: [] };
  }
  const events: string[] = [];
  const onLine = (line: string) => events.push(line);
  const env = { ...QUICK, ...control.env };
  const started = await ordeal.start('faults', { env, limits: LIMITS, onLine });
  const ask = createAsker(started);
  const rows: Row[] = [];
  const wrong: string[] = [];
  for (const fault of list) {
    say(`  ${fault.name} …`);
    const problems = await undergo(fault, { started, control, ask: ask.next });
    rows.push({ measure: fault.name, value: problems.join('; ') || 'said, survived, recovered' });
    wrong.push(...problems.map((problem) => `${fault.name}: ${problem}`));
  }
  await started.server.stop();
  wrong.push(...auditServed(started.database, ask.served()));
  const stops = list.filter(({ stopsSearches }) => stopsSearches).length;
  for (const event of ['degraded', 'recovered']) {
    const count = events.filter((line) => line.includes(`"event":"${event}"`)).length;
    if (count !== stops) wrong.push(`the log says ${event} ${count} times, not ${stops}`);
  }
  return { rows, wrong };
}

interface Scene {
  started: Started;
  control: FaultControl;
  /** Searches once. Resolves to the status. */
  ask: () => Promise<number>;
}

/** Returns what is wrong with the server before, during, and after a fault. */
async function undergo(fault: Fault, { started, control, ask }: Scene): Promise<string[]> {
  const problems: string[] = [];
  const expectStatus = async (when: string, status: number): Promise<void> => {
    const isReached = await becomesTrue(async () => (await ask()) === status, NOTICE_MS_MAX);
    if (!isReached) problems.push(`no ${status} ${when}`);
  };
  await expectStatus('before', 200);
  const end = fault.begin(control, started.database);
  await expectStatus('during', fault.stopsSearches ? 503 : 200);
  if (fault.stopsSearches) {
    const { status, text } = await healthOf(started.server.url);
    if (status !== 503 || !text.includes('"degraded"')) {
      problems.push(`/health said ${status} ${text}`);
    }
  }
  end();
  await expectStatus('afterwards', 200);
  return problems;
}

function createAsker({ server, secret }: Started) {
  const titles = sampleTitles();
  const client = createClient(server.port);
  let asked = 0;
  let served = 0;
  return {
    served: () => served,
    async next(): Promise<number> {
      const title = titles[asked++ % titles.length] ?? '';
      const { status } = await client.send(searchRequest(title, { port: server.port, secret }));
      if (status === 200) served++;
      return status;
    },
  };
}
