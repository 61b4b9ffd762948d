/** Starts what the operator's pages read with, so that their first page need not wait for it. */

import type { AccountDeps } from '../accounts/account-deps.ts';
import type { OperatorAccess } from '../accounts/ports/operator-store.ts';
import { detailsOf, VerbatimError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings/config.ts';

export interface ReadingOptions {
  settings: Settings;
  log: Log;
  accountStore: OperatorAccess;
  accounts: AccountDeps;
}

export interface Reading {
  /** Starts the threads, if they have not been started. Resolves when they have read. Never rejects. */
  startReading(): Promise<void>;
  /** The same, where there is somebody who could look. */
  warmUp(): Promise<void>;
}

export function prepareReading(options: ReadingOptions): Reading {
  const { settings, accounts, log } = options;
  const report = (error: unknown): void => {
    // Nobody waits for the warm-up, so a database that cannot be reached for a moment harms nothing.
    if (error instanceof VerbatimError) {
      log.warn('operator_pages_failed', { reason: error.message });
    } else log.error('operator_pages_failed', { reason: detailsOf(error) });
  };
  let started: Promise<void> | undefined;
  const startReading = (): Promise<void> => {
    started ??= readOnEachThread(options).catch(report);
    return started;
  };
  return {
    startReading,
    async warmUp() {
      try {
        if (settings.operatorPages || (await accounts.store.hasOperators())) await startReading();
      } catch (error) {
        report(error);
      }
    },
  };
}

async function readOnEachThread({ settings, accountStore }: ReadingOptions): Promise<void> {
  const { operatorThreads, auditsKeptMax: limit } = settings;
  const store = accountStore.asOperator({ actor: 'the server' });
  await Promise.all(Array.from({ length: operatorThreads }, () => store.listKeptAudits({ limit })));
}
