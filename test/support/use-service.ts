/** A server for the tests of one file: started before them, ended and removed after them. */
import { afterAll, beforeAll } from 'vitest';
import { copySampleIndex, removeDatabase, type Service, startService } from './service.ts';

export interface UseServiceOptions<Filled> {
  /** Fills the database before the server starts. */
  fill?: (database: string) => Filled | Promise<Filled>;
  env?: Record<string, string>;
  /** Runs when the server is ready, with what `fill` returned. */
  ready?: (service: Service, filled: Filled) => unknown;
}

/** Returns the server on a copy of the sample index. Use it inside tests and hooks only. */
export function useService<Filled = undefined>({
  fill,
  env = {},
  ready,
}: UseServiceOptions<Filled> = {}): Service {
  let running: Service;
  beforeAll(async () => {
    const database = await copySampleIndex();
    const filled = await fill?.(database);
    running = await startService(database, env);
    await ready?.(running, filled as Filled);
  });
  afterAll(async () => {
    await running.end();
    await removeDatabase(running.database);
  });
  return new Proxy({} as Service, { get: (_target, name) => Reflect.get(running, name) });
}
