/** Measures what a server sends to providers before it is killed and after its restart. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundlePath } from '../../src/bundle.ts';
import { createRandom } from '../bench/random.ts';
import { copy } from '../bench/tasks/copy.ts';
import { askOn, createCustomers, drawOutOfDomainQuestion } from '../soak/customers.ts';
import { type ProviderStub, startProviderStub } from './provider-stub.ts';
import { environment } from './run-scenario.ts';

export interface Restart {
  /** Requests after the restart to a provider that asked for a one-minute backoff. */
  requestsDuringPause: number;
  /** The time between two requests to arXiv, across the restart. */
  arxivGapMs: number;
}

/** Crossref asks for a backoff. Then the server is killed during a request to arXiv, and restarted. */
export async function killAndRestart(index: string, folder: string): Promise<Restart> {
  const database = join(folder, 'restart.db');
  await copy({ from: index, to: database });
  const stubs = await Promise.all([
    startProviderStub('arxiv', 'well'),
    startProviderStub('semantic_scholar', 'failing'),
    startProviderStub('crossref', 'too_many'),
  ]);
  const [arxiv, , crossref] = stubs as [ProviderStub, ProviderStub, ProviderStub];
  const [customer] = createCustomers(database, 1, 'restart');
  if (customer === undefined) throw new Error('no customer was created');
  const random = createRandom('restart');
  const askOnce = (port: number): Promise<unknown> => {
    let left = 1;
    return askOn(customer, port, {
      nextQuestion: () => drawOutOfDomainQuestion(random),
      goOn: () => left-- > 0,
    });
  };
  const first = await startKillable(database, environment(stubs));
  void askOnce(first.port).catch(() => {});
  await until(() => arxiv.requests.length === 1 && crossref.requests.length === 1);
  // Crossref responds within this time. arXiv does not.
  await new Promise((resolve) => setTimeout(resolve, 200));
  await first.kill();
  const requestsBefore = crossref.requests.length;
  const second = await startKillable(database, environment(stubs));
  while (arxiv.requests.length === 1) await askOnce(second.port);
  await second.kill();
  for (const stub of stubs) await stub.close();
  const [before = 0, after = 0] = arxiv.requests;
  return {
    requestsDuringPause: crossref.requests.length - requestsBefore,
    arxivGapMs: after - before,
  };
}

interface Killable {
  port: number;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

async function startKillable(database: string, env: Record<string, string>): Promise<Killable> {
  const child = spawn(process.execPath, [bundlePath(), 'serve', '--db', database], {
    env: {
      ...process.env,
      VERBATIM_HOST: '127.0.0.1',
      VERBATIM_PORT: '0',
      VERBATIM_METRICS_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const port = await new Promise<number>((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const found = /"event":"serving".*"port":(\d+)/.exec(line)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
  });
  return {
    port,
    kill() {
      child.kill('SIGKILL');
      return exited;
    },
  };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
