/** What a worker thread does, by the role that it was started in. */
import { messageOf } from '../errors.ts';
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
export async function createHandler(data: WorkerData): Promise<Handler> {
  const handle = await createRoleHandler(data);
  return async (task) => {
    try {
      return await handle(task);
    } catch (error) {
      throw toNativeError(error);
    }
  };
}

/** SQLite's errors would arrive in the main thread as empty objects: they are no native ones. */
function toNativeError(error: unknown): Error {
  const native = new Error(messageOf(error));
  if (error instanceof Error && error.stack !== undefined) native.stack = error.stack;
  return native;
}

function createRoleHandler(data: WorkerData): Promise<Handler> | Handler {
  switch (data.role) {
    case 'embed':
      return createEmbedHandler(data.model);
    case 'search':
      return createSearchHandler(data);
    case 'ledger':
      return createLedgerHandler(data);
  }
}
