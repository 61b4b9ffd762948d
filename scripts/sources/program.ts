/** An index with one source, and the program that updates it. */
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openStoreForReading } from '../../src/database/open.ts';
import { bundlePath } from '../../src/settings/bundle.ts';
import type { Source } from '../../src/sources/ports/source.ts';
import { openOptions } from '../measure/databases.ts';
import { finish, startNode } from '../measure/processes.ts';
import { until } from '../measure/until.ts';

/** Stubs need no pauses, and nothing waits for what a killed run held. */
const LIMITS = { arxivGapMs: 1, webGapMs: 1, sourceGapMs: 1, sourceLeaseMs: 1 };
const NAME = 'stub';
const PAPERS = `
  SELECT id, title, abstract, reason
  FROM documents LEFT JOIN withheld_documents ON document = number ORDER BY id`;

/** An index in an existing folder. `env` are settings of the program. */
export function indexIn(folder: string, env: Record<string, string> = {}) {
  const database = join(folder, 'verbatim.db');
  const start = (...args: readonly string[]) =>
    startNode([bundlePath(), 'source', ...args, '--db', database, '--json'], {
      env: {
        ...process.env,
        VERBATIM_CONFIG: 'none',
        VERBATIM_EMBED_THREADS: '1',
        VERBATIM_LANE_TIMEOUT_MS: '1000',
        VERBATIM_LANE_CONTACT: 'sources@example.org',
        VERBATIM_TEST_LIMITS: JSON.stringify(LIMITS),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return {
    add: (args: readonly string[]) =>
      finish(start('add', ...args, '--name', NAME, '--yes', '--later'), 'verbatim source add'),
    /** Resolves to the milliseconds of the run, without the start of the program. */
    async update(): Promise<number> {
      const printed = await finish(start('update'), 'verbatim source update');
      const [source] = JSON.parse(printed) as Pick<Source, 'state'>[];
      return (source?.state.run?.endedAt ?? 0) - (source?.state.run?.startedAt ?? 0);
    },
    /** Kills an update when it `isThere` and a time has passed. Resolves to whether it still ran. */
    async updateKilled(isThere: () => boolean, delayMs: number): Promise<boolean> {
      const child = start('update');
      const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
      const hasBegun = (): boolean => existsSync(join(folder, `verbatim-source-${NAME}`));
      const isDue = (): boolean => child.exitCode !== null || (hasBegun() && isThere());
      await until('the update is where it is killed', isDue, { intervalMs: 1 });
      await wait(delayMs);
      child.kill('SIGKILL');
      return (await ended) === 'SIGKILL';
    },
    /** All papers in the order of their ids, with the reason why one is withheld. */
    papers() {
      const db = openStoreForReading(openOptions(database));
      try {
        return db.prepare(PAPERS).all() as { reason: string | null }[];
      } finally {
        db.close();
      }
    },
  };
}

/** Copies an index that no program has open to another folder, in place of what is there. */
export function copyIndex(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}
