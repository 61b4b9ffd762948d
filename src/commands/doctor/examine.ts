/** Runs all checks. Nothing that a check meets ends the examination. */

import { connectForReading } from '../../database/sqlite/connect.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { faultOf } from '../../database/sqlite/faults.ts';
import { messageOf } from '../../errors.ts';
import { type Check, type CheckContext, type DatabaseCheck, error, type Finding } from './check.ts';
import { checkAddresses } from './check-addresses.ts';
import { checkCertificate } from './check-certificate.ts';
import { checkClock } from './check-clock.ts';
import { checkDisk } from './check-disk.ts';
import { checkFiles } from './check-files.ts';
import { checkIndex } from './check-index.ts';
import { checkIntegrity } from './check-integrity.ts';
import { checkLanes } from './check-lanes.ts';
import { checkBackup } from './check-last-backup.ts';
import { checkLedger } from './check-ledger.ts';
import { checkLimits } from './check-limits.ts';
import { checkModel } from './check-model.ts';
import { checkPort } from './check-port.ts';
import { checkSettings } from './check-settings.ts';
import { checkSources } from './check-sources.ts';
import { checkTables } from './check-tables.ts';
import { checkVersions } from './check-versions.ts';

export interface NamedFinding extends Finding {
  check: string;
}

/** What needs no content of the database. */
export const machineChecks: readonly Check[] = [
  ...[checkVersions, checkSettings, checkAddresses, checkCertificate, checkPort, checkLimits],
  ...[checkModel, checkLanes, checkFiles, checkDisk, checkBackup],
];
/** In this order: a database that fails one of the first two is not read any further. */
const databaseChecks: readonly DatabaseCheck[] = [
  ...[checkTables, checkIntegrity, checkClock, checkLedger, checkIndex, checkSources],
];
const GATES = 2;
const RESTORE = 'see what else uses the file, or restore the latest backup: verbatim restore FILE';

/** Called with the name of each check before it runs. */
type OnStart = (check: string) => void;

/** Yields what each check finds, as soon as it is known. */
export async function* examine(
  context: CheckContext,
  onStart: OnStart,
): AsyncGenerator<NamedFinding> {
  yield* examineMachine(context, onStart);
  yield* examineDatabase(context, onStart);
}

async function* examineMachine(
  context: CheckContext,
  onStart: OnStart,
): AsyncGenerator<NamedFinding> {
  for (const { name, run } of machineChecks) {
    onStart(name);
    yield* named(name, await attempt(() => run(context), 'mend this, and run the doctor again'));
  }
}

/** The same for the content of the database alone. */
export async function* examineDatabase(
  context: CheckContext,
  onStart: OnStart,
): AsyncGenerator<NamedFinding> {
  const db = openQuietly(context);
  if (!('close' in db)) {
    yield* named('database', db);
    return;
  }
  try {
    for (const [index, { name, run }] of databaseChecks.entries()) {
      onStart(name);
      const findings = await attempt(() => run(context, db), RESTORE);
      yield* named(name, findings);
      if (index < GATES && findings.some(({ severity }) => severity === 'error')) return;
    }
  } finally {
    db.close();
  }
}

function named(check: string, findings: readonly Finding[]): NamedFinding[] {
  return findings.map((finding) => ({ check, ...finding }));
}

async function attempt(
  run: () => Promise<Finding[]> | Finding[],
  advice: string,
): Promise<Finding[]> {
  try {
    return await run();
  } catch (cause) {
    return [error(faultOf(cause) ?? messageOf(cause), advice)];
  }
}

/** Opens the database for reading, whatever its version; returns no finding if it is missing. */
function openQuietly({ settings }: CheckContext): Connection | Finding[] {
  const { database: path, lockWaitMs } = settings;
  try {
    return connectForReading({ path, lockWaitMs });
  } catch (cause) {
    const isMissing = messageOf(cause).startsWith('there is no database');
    // The check of the files has said so.
    if (isMissing) return [];
    return [error(messageOf(cause), 'name the database with --db, or restore a backup')];
  }
}
