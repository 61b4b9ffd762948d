/** The whole service in this process, with lanes made by hand: real sockets, threads, database. */
import { onTestFinished } from 'vitest';
import { startService } from '../../src/commands/service.ts';
import { readSettings, type Settings } from '../../src/config.ts';
import type { Lanes } from '../../src/lanes/lane.ts';
import { createLog } from '../../src/log.ts';
import { addAccount, type Caller } from '../http/contract.ts';
import { copySampleIndex, removeDatabase } from '../support/service.ts';

export const CREDITS = 20;

export interface Running extends Caller {
  database: string;
  /** All that was logged, one object a line. */
  log: Record<string, unknown>[];
  /** Ends it; may be called again. */
  stop(): Promise<void>;
}

/** Serves a copy of the sample index to a customer with some credits, until the test is finished. */
export async function serveWith(
  lanes: Lanes | undefined,
  given: Partial<Settings> = {},
): Promise<Running> {
  const database = given.database ?? (await copySampleIndex());
  const { secret } = addAccount({ url: '', database }, { credits: CREDITS });
  const log: Running['log'] = [];
  const settings = readSettings(
    { host: '127.0.0.1', port: 0, searchThreads: 1, database, ...given },
    {},
  );
  const service = await startService({
    ...{ settings, openLanes: async () => lanes },
    log: createLog((line) => log.push(JSON.parse(line))),
  });
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping ??= service.stop();
    return stopping;
  };
  onTestFinished(async () => {
    await stop();
    await removeDatabase(database);
  });
  return { url: `http://127.0.0.1:${service.port}`, secret, database, log, stop };
}
