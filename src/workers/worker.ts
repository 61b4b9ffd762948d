/** What a worker thread does, by the role that it was started in. */
import type { OpenOptions } from '../store/open.ts';
import { createEmbedHandler } from './embed-worker.ts';
import { createLedgerHandler } from './ledger-worker.ts';
import { createSearchHandler, type SearchWorkerData } from './search-worker.ts';

export type WorkerData =
  | { role: 'embed'; model: string }
  | ({ role: 'search' } & SearchWorkerData)
  | ({ role: 'ledger' } & OpenOptions);

type Handler = (task: never) => unknown;

/** Resolves when the thread is ready for tasks. */
export function createHandler(data: WorkerData): Promise<Handler> | Handler {
  switch (data.role) {
    case 'embed':
      return createEmbedHandler(data.model);
    case 'search':
      return createSearchHandler(data);
    case 'ledger':
      return createLedgerHandler(data);
  }
}
