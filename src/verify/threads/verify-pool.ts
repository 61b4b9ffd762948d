/**
 * The pool of threads that verify. They start with the first call, because most servers never verify
 * anything, and a thread takes memory.
 */
import { type InTurnPool, inTurn } from '../../workers/in-turn.ts';
import { createPool, type PoolOptions, type ThreadData } from '../../workers/pool.ts';
import type { VerifyOptions, VerifyRequest } from '../open-verify.ts';
import type { VerifiedItems } from './verify-worker.ts';

export interface VerifyPool {
  /** Customers take turns. Rejects with `at_capacity` if the pool is full or closing. */
  run(request: VerifyRequest, customerId: number): Promise<VerifiedItems>;
  close(): Promise<void>;
}

/** `queueMax`: calls that may wait for a thread. */
export function createVerifyPool(
  data: VerifyOptions,
  options: Omit<PoolOptions<ThreadData>, 'data'>,
): VerifyPool {
  let pool: InTurnPool<VerifyRequest, VerifiedItems> | undefined;
  const start = (): InTurnPool<VerifyRequest, VerifiedItems> =>
    inTurn(createPool({ ...options, data: { role: 'verify', ...data } }), options);
  return {
    run(request, customerId) {
      pool ??= start();
      return pool.run(request, customerId);
    },
    close: async () => pool?.close(),
  };
}
