/** Copies a database, so that the benchmark does not change the original. */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { openStoreForReading } from '../../../src/database/open.ts';
import { openOptions } from '../index-access.ts';

/** Pages per step. Nothing else in the process needs a turn, so the steps are large. */
const PAGES_PER_STEP = 100_000;

/** Copies a database with its write-ahead log. The copy appears when it is complete. */
export async function copy({ from, to }: { from: string; to: string }): Promise<void> {
  if (existsSync(to)) throw new Error(`${to} already exists`);
  const partial = `${to}.partial`;
  rmSync(partial, { force: true });
  const db = openStoreForReading(openOptions(from));
  try {
    await db.backup(partial, { progress: () => PAGES_PER_STEP });
  } finally {
    db.close();
  }
  // Pending writes of the system would slow down the ledger's commits later.
  const file = openSync(partial, 'r+');
  fsyncSync(file);
  closeSync(file);
  renameSync(partial, to);
}
