/** What a worker thread does, by the role that it was started in. */
import { type ErrorCode, messageOf, VerbatimError } from '../errors.ts';
import type { OpenSearchOptions } from '../search/open-search.ts';
import type { OpenOptions } from '../store/open.ts';
import { createEmbedHandler } from './embed-worker.ts';
import { createLaneHandler, type LaneWorkerOptions } from './lane-worker.ts';
import { createLedgerHandler } from './ledger-worker.ts';
import { createSearchHandler } from './search-worker.ts';

export type WorkerData =
  | { role: 'embed'; model: string }
  | ({ role: 'search' } & OpenSearchOptions)
  | ({ role: 'lanes' } & LaneWorkerOptions)
  | ({ role: 'ledger' } & OpenOptions);

type Handler = (task: never) => unknown;

/** An error as a value: cloned from thread to thread, errors lose what kind they are. */
export interface ThreadFailure {
  /** Of an expected error. */
  code?: ErrorCode;
  message: string;
  stack: string | undefined;
}

export type Outcome<Result> = { value: Result } | { failure: ThreadFailure };

/**
 * Resolves when the thread is ready for tasks, whose outcomes its handler returns. It never fails:
 * where the role cannot be taken, a model that cannot be loaded for one, each task learns of it.
 */
export async function createHandler(
  data: WorkerData,
): Promise<(task: unknown) => Promise<Outcome<unknown>>> {
  let handle: Handler;
  try {
    handle = await createRoleHandler(data);
  } catch (error) {
    const failure = describe(error);
    return async () => ({ failure });
  }
  return async (task) => {
    try {
      return { value: await handle(task as never) };
    } catch (error) {
      return { failure: describe(error) };
    }
  };
}

function describe(error: unknown): ThreadFailure {
  return {
    ...(error instanceof VerbatimError ? { code: error.code } : {}),
    message: messageOf(error),
    stack: error instanceof Error ? error.stack : undefined,
  };
}

function createRoleHandler(data: WorkerData): Promise<Handler> | Handler {
  switch (data.role) {
    case 'embed':
      return createEmbedHandler(data.model);
    case 'search':
      return createSearchHandler(data);
    case 'lanes':
      return createLaneHandler(data);
    case 'ledger':
      return createLedgerHandler(data);
  }
}
