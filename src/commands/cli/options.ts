/** Options that several commands share, and how to parse them. */
import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { readSettings, renamedVariables, type Settings, settingsTable } from '../../config.ts';
import { CREDITS_RANGE, parseCredits } from '../../credits.ts';
import type { OpenOptions } from '../../store/database/connect.ts';
import type { Connection } from '../../store/database/connection.ts';
import { namingFault } from '../../store/database/faults.ts';
import { openExistingStore, openStore, openStoreForReading } from '../../store/open.ts';
import { openLog } from './terminal-log.ts';

export interface CommonOptions {
  db?: string;
  model?: string;
  json?: boolean;
}

/** Adds `--db` and `--json`. */
export function withStoreOptions(command: Command): Command {
  return command
    .option('--db <file>', 'the database (default: VERBATIM_DB, else verbatim.db)')
    .option('--json', 'print JSON for programs');
}

/** Adds `--db`, `--json` and `--model`. */
export function withModelOptions(command: Command): Command {
  return withModelOption(withStoreOptions(command));
}

/** Adds `--model`. */
export function withModelOption(command: Command): Command {
  return command.option(
    '--model <dir>',
    'folder of the embedding model (default: VERBATIM_MODEL, else the bundled model)',
  );
}

/**
 * The settings. Options on the command line win over the environment. Logs a warning for each
 * variable that was renamed.
 */
export function settingsOf(options: CommonOptions, given: Partial<Settings> = {}): Settings {
  const settings = readSettings({
    ...given,
    ...(options.db === undefined ? {} : { database: options.db }),
    ...(options.model === undefined ? {} : { model: options.model }),
  });
  const log = openLog(settings);
  for (const { former, variable } of renamedVariables()) {
    log.warn('setting_renamed', { former, variable });
  }
  return settings;
}

export function storeOptions(settings: Settings): OpenOptions {
  const { database, lockWaitMs, pageBytesCachedMax } = settings;
  return { path: database, lockWaitMs, pageBytesCachedMax };
}

/** Opens the store for writing. Reports a newly created one, because its path may be mistyped. */
export function openOrCreateStore(settings: Settings, say: (text: string) => void): Connection {
  const isNew = !existsSync(settings.database);
  const db = openStore(storeOptions(settings));
  if (isNew) say(`created a new database: ${settings.database}`);
  return db;
}

/** Runs work with a store open for writing, created if necessary, and always closes it. */
export function withStore<Result>(settings: Settings, work: (db: Connection) => Result): Result {
  const db = openOrCreateStore(settings, (text) => process.stderr.write(`${text}\n`));
  return closing(db, work);
}

/** Runs work with an existing store open for writing. */
export function withExistingStore<Result>(
  settings: Settings,
  work: (db: Connection) => Result,
): Result {
  return closing(openExistingStore(storeOptions(settings)), work);
}

/** Runs work with an existing store open for reading. */
export function withStoreForReading<Result>(
  settings: Settings,
  work: (db: Connection) => Result,
): Result {
  return closing(openStoreForReading(storeOptions(settings)), work);
}

function closing<Result>(db: Connection, work: (db: Connection) => Result): Result {
  try {
    return work(db);
  } catch (error) {
    throw namingFault(error, db.name);
  } finally {
    db.close();
  }
}

/** For commander: an option that can be repeated. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** For commander: a whole number of at least 1. */
export function parseCount(text: string): number {
  if (/^[1-9]\d{0,11}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
}

/** For commander: a number of credits. */
export function parseCreditCount(text: string): number {
  const credits = parseCredits(text);
  if (credits !== undefined) return credits;
  throw new InvalidArgumentError(`It must be ${CREDITS_RANGE}.`);
}

/** For commander: a port, or 0 for any free one. */
export function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= settingsTable.port.max) return Number(text);
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${settingsTable.port.max}.`);
}

const durationUnitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** For commander: `90s`, `15m`, `24h`, `7d`, in milliseconds. */
export function parseDurationMs(text: string): number {
  const [, digits, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (digits === undefined || unit === undefined) {
    throw new InvalidArgumentError('It must be a number with a unit: 90s, 15m, 24h or 7d.');
  }
  return Number(digits) * durationUnitsMs[unit as keyof typeof durationUnitsMs];
}
