/** Runs a worker thread in its role. Loads nothing of the other roles. */
import type { Device } from './embed/device.ts';
import type { LaneWorkerOptions } from './fallback/threads/lane-worker.ts';
import type { SourceOptions } from './index-source/open/open-source.ts';
import type { OpenSearchOptions } from './search/open-search.ts';
import type { LedgerWorkerOptions } from './workers/ledger-worker.ts';
import type { OperatorReadWorkerOptions } from './workers/operator-read-worker.ts';
import { failureOf, type Outcome } from './workers/outcome.ts';

export type WorkerData =
  | { role: 'embed'; model: string; device: Device }
  | ({ role: 'search' } & OpenSearchOptions)
  | ({ role: 'verify' } & SourceOptions)
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
      return (await import('./workers/embed-worker.ts')).createEmbedHandler(
        data.model,
        data.device,
      );
    case 'search':
      return (await import('./workers/search-worker.ts')).createSearchHandler(data);
    case 'verify':
      return (await import('./workers/verify-worker.ts')).createVerifyHandler(data);
    case 'lanes':
      return (await import('./fallback/threads/lane-worker.ts')).createLaneHandler(data);
    case 'operator':
      return (await import('./workers/operator-read-worker.ts')).createOperatorReadHandler(data);
    case 'ledger':
      return (await import('./workers/ledger-worker.ts')).createLedgerHandler(data);
  }
}
