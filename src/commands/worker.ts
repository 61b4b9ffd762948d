/** Runs a worker thread in its role. Loads nothing of the other roles. */

import type { LedgerWorkerOptions } from '../accounts/ledger-thread/ledger-worker.ts';
import type { OperatorReadWorkerOptions } from '../accounts/ledger-thread/operator-read-worker.ts';
import type { LaneWorkerOptions } from '../lanes/threads/lane-worker.ts';
import type { OpenSearchOptions } from '../search/open-search.ts';
import type { Device } from '../text/embed/inference-device.ts';
import type { VerifyOptions } from '../verify/open-verify.ts';
import { failureOf, type Outcome } from '../workers/outcome.ts';

export type WorkerData =
  | { role: 'embed'; model: string; device: Device }
  | ({ role: 'search' } & OpenSearchOptions)
  | ({ role: 'verify' } & VerifyOptions)
  | ({ role: 'lanes' } & LaneWorkerOptions)
  | ({ role: 'operator' } & OperatorReadWorkerOptions)
  | ({ role: 'ledger' } & LedgerWorkerOptions);

type Handler = (task: never) => unknown;

/**
 * Resolves to the thread's task handler, which returns outcomes. Never rejects: if the role cannot
 * start, because the model cannot be loaded for example, every task fails with that error.
 */
export async function createHandler(
  data: WorkerData,
): Promise<(task: unknown) => Promise<Outcome<unknown>>> {
  let handle: Handler;
  try {
    handle = await createRoleHandler(data);
  } catch (error) {
    const failure = failureOf(error);
    return async () => ({ failure });
  }
  return async (task) => {
    try {
      return { value: await handle(task as never) };
    } catch (error) {
      return { failure: failureOf(error) };
    }
  };
}

async function createRoleHandler(data: WorkerData): Promise<Handler> {
  switch (data.role) {
    case 'embed':
      return (await import('../text/embed/embed-worker.ts')).createEmbedHandler(
        data.model,
        data.device,
      );
    case 'search':
      return (await import('../search/threads/search-worker.ts')).createSearchHandler(data);
    case 'verify':
      return (await import('../verify/threads/verify-worker.ts')).createVerifyHandler(data);
    case 'lanes':
      return (await import('../lanes/threads/lane-worker.ts')).createLaneHandler(data);
    case 'operator':
      return (
        await import('../accounts/ledger-thread/operator-read-worker.ts')
      ).createOperatorReadHandler(data);
    case 'ledger':
      return (await import('../accounts/ledger-thread/ledger-worker.ts')).createLedgerHandler(data);
  }
}
