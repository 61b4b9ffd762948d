/** Copies a database, so that the benchmark changes nothing in the one that it was given. */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { openStoreForReading } from '../../../src/store/open.ts';
import { openOptions } from '../index-access.ts';

/** Pages that are copied before others of the process get a turn; there are none. */
const PAGES_PER_STEP = 100_000;

/** Copies also what a crash left in the write-ahead log. The copy appears when it is whole. */
export async function copy({ from, to }: { from: string; to: string }): Promise<void> {
  if (existsSync(to)) throw new Error(`${to} is there already`);
  const partial = `${to}.partial`;
  rmSync(partial, { force: true });
  const db = openStoreForReading(openOptions(from));
  try {
    await db.backup(partial, { progress: () => PAGES_PER_STEP });
  } finally {
    db.close();
  }
  // What the system still has to write would slow down the ledger's commits later.
  const file = openSync(partial, 'r+');
  fsyncSync(file);
  closeSync(file);
  renameSync(partial, to);
}
