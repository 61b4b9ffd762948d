/**
 * Records what each request came to, in the background: rows and counts wait in memory and are written
 * together, so that a request costs microseconds. A kill loses those of the last second, and nothing
 * that was charged depends on them.
 */
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import type { AccountStore } from './ports/account-store.ts';
import { dayOf } from './sql/calendar-month.ts';
import type { NewRequest, RequestCount } from './sql/request-rows.ts';

/** A request of a customer, or of nobody that is known. */
export type FinishedRequest =
  | NewRequest
  | (Pick<NewRequest, 'path' | 'status' | 'code' | 'createdAt'> & { customerId: 0; keyId: 0 });

export interface RequestRecorder {
  /** Records a request soon. Beyond the bounds it is only counted. */
  record(request: FinishedRequest): void;
  /** Writes what waits. Never rejects: what cannot be written is lost, and logged. */
  flush(): Promise<void>;
}

export interface RequestRecorderOptions {
  store: Pick<AccountStore, 'recordRequests'>;
  log: Log;
  settings: {
    requestFailuresMax: number;
    requestWriteMs: number;
    requestsWaitingMax: number;
  };
}

const HOUR_MS = 3_600_000;

export function createRequestRecorder({
  store,
  log,
  settings,
}: RequestRecorderOptions): RequestRecorder {
  const { requestFailuresMax, requestWriteMs, requestsWaitingMax } = settings;
  let requests: NewRequest[] = [];
  let counts = new Map<string, RequestCount>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let isFailing = false;
  // Of this hour, by the id of the key.
  let failures = new Map<number, number>();
  let failuresSince = 0;

  const isFailureKept = ({ keyId, createdAt }: NewRequest): boolean => {
    if (createdAt - failuresSince >= HOUR_MS) {
      failures = new Map();
      failuresSince = createdAt;
    }
    const failed = (failures.get(keyId) ?? 0) + 1;
    failures.set(keyId, failed);
    return failed <= requestFailuresMax;
  };
  const count = ({ customerId, keyId, path, status, code, createdAt }: FinishedRequest): void => {
    const day = dayOf(createdAt);
    const name = `${keyId} ${day} ${path} ${status} ${code}`;
    const known = counts.get(name);
    if (known === undefined) {
      const first = { customerId, keyId, day, path, status, code: code ?? '' };
      counts.set(name, { ...first, calls: 1, lastAt: createdAt });
      return;
    }
    known.calls++;
    known.lastAt = createdAt;
  };
  const write = async (): Promise<void> => {
    // In one order on all servers, so that no two wait for each other's rows.
    const ordered = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
    const batch = { requests, counts: ordered.map(([, one]) => one) };
    requests = [];
    counts = new Map();
    if (batch.counts.length === 0) return;
    try {
      await store.recordRequests(batch);
      isFailing = false;
    } catch (error) {
      // Once, however long it lasts.
      if (!isFailing) log.warn('requests_not_recorded', { reason: messageOf(error) });
      isFailing = true;
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  };
  return {
    record(request) {
      count(request);
      const isKept =
        'requestId' in request &&
        (request.code === null || isFailureKept(request)) &&
        requests.length < requestsWaitingMax;
      if (isKept) requests.push(request);
      timer ??= setTimeout(() => void flush(), requestWriteMs).unref();
    },
    flush,
  };
}
