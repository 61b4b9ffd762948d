/** The way back from an upgrade: the database as it was, then the program that was replaced. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { tablesWrittenSince } from '../../accounts/sqlite/ledger/written-since.ts';
import { connectForReading } from '../../database/sqlite/connect.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { lockForServing } from '../../database/sqlite/process-lock.ts';
import { putBack } from '../../database/sqlite/put-back.ts';
import { messageOf, VerbatimError } from '../../errors.ts';
import { version } from '../../settings/version.ts';
import type { ProgramFile } from './program-file.ts';
import type { RunningServer } from './running-server.ts';

export interface WayBack {
  program: ProgramFile;
  server: RunningServer | undefined;
  database: string;
  /** The database before its migration; undefined if it was not migrated. */
  copy: string | undefined;
}

/**
 * Stops the server, goes back, and starts the old one. A database that was not migrated stays, with all
 * that was written since. Throws `upgrade_failed` if the migrated one was written since: the new program
 * stays, and starts again.
 */
export async function goBack({ program, server, database, copy }: WayBack): Promise<void> {
  await server?.stop();
  try {
    // In this order: the new program would migrate an old database again; the old one refuses a new one.
    if (copy !== undefined) await restoreCopy(copy, database);
    program.putBack();
  } finally {
    await server?.start();
  }
  await server?.untilReady();
}

async function restoreCopy(copy: string, database: string): Promise<void> {
  const unlock = await lockForServing(database);
  try {
    const written = existsSync(copy) ? writtenSince(copy, database) : ['(the copy is missing)'];
    if (written.length > 0) {
      throw new VerbatimError(
        'upgrade_failed',
        `not going back: ${database} was written since its copy ${copy}: ${written.join(', ')}`,
      );
    }
    putBack(copy, database);
  } finally {
    unlock();
  }
}

/** Of a database of another version, what cannot be read counts as written. */
function writtenSince(copy: string, database: string): string[] {
  try {
    return read(copy, (before) => read(database, (now) => tablesWrittenSince(before, now)));
  } catch (error) {
    return [messageOf(error)];
  }
}

function read<Result>(path: string, work: (db: Connection) => Result): Result {
  const db = connectForReading({ path, lockWaitMs: 0 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/**
 * Returns the newest copy of a database from before its migration to this version; undefined without one.
 * For an upgrade that was killed before it wrote down which one it made.
 */
export function copyBeforeThisVersion(database: string): string | undefined {
  const [folder, name] = [dirname(database), `${basename(database)}.before-${version}`];
  const numbers = readdirSync(folder)
    .filter((one) => one.startsWith(name) && /^(-\d+)?$/.test(one.slice(name.length)))
    .map((one) => ({ path: join(folder, one), madeAt: statSync(join(folder, one)).mtimeMs }))
    .sort((one, other) => other.madeAt - one.madeAt);
  return numbers[0]?.path;
}
