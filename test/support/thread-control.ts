/** Gives the orders of thread-deaths.mjs. */
import { renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundlePath } from '../../src/settings/bundle.ts';

export interface DeathOrder {
  role: 'search' | 'ledger' | 'embed';
  /** Before the thread starts its next task, or after it, when its result is not sent yet. */
  when: 'before' | 'after';
  how: 'throws' | 'exits';
}

export interface ThreadControl {
  /** The environment of a process whose threads are to die. */
  env: Record<string, string>;
  /** Has the next thread of the role die. */
  order(order: DeathOrder): void;
}

/** The orders are in `folder`. */
export function createThreadControl(folder: string): ThreadControl {
  const path = join(folder, 'thread-order');
  const loaded = pathToFileURL(join(dirname(bundlePath()), '../test/support/thread-deaths.mjs'));
  return {
    env: { ORDEAL_THREADS: path, NODE_OPTIONS: `--import=${loaded.href}` },
    order(order) {
      // Renamed, because a thread must not read half an order.
      writeFileSync(`${path}.new`, JSON.stringify(order));
      renameSync(`${path}.new`, path);
    },
  };
}
