/** Options that several commands have, and how their texts become values. */
import { type Command, InvalidArgumentError } from 'commander';
import { readSettings, type Settings } from '../config.ts';
import {
  type OpenOptions,
  openExistingStore,
  openStore,
  openStoreForReading,
  type Store,
} from '../store/open.ts';

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
    'folder of the embedding model (default: VERBATIM_MODEL, else the one that comes along)',
  );
}

/** The settings, with what the command line names before the environment. */
export function settingsOf(options: CommonOptions, given: Partial<Settings> = {}): Settings {
  return readSettings({
    ...given,
    ...(options.db === undefined ? {} : { database: options.db }),
    ...(options.model === undefined ? {} : { model: options.model }),
  });
}

export function storeOptions(settings: Settings): OpenOptions {
  const { database, lockWaitMs, pageBytesCachedMax } = settings;
  return { path: database, lockWaitMs, pageBytesCachedMax };
}

/** Runs work with an open store that may write, and closes it whatever happens. */
export function withStore<Result>(settings: Settings, work: (db: Store) => Result): Result {
  return closing(openStore(storeOptions(settings)), work);
}

/** The same with a store that must be there already. */
export function withExistingStore<Result>(settings: Settings, work: (db: Store) => Result): Result {
  return closing(openExistingStore(storeOptions(settings)), work);
}

/** The same with a store that only reads, and that must exist. */
export function withStoreForReading<Result>(
  settings: Settings,
  work: (db: Store) => Result,
): Result {
  return closing(openStoreForReading(storeOptions(settings)), work);
}

function closing<Result>(db: Store, work: (db: Store) => Result): Result {
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** For commander: a whole number of at least 1. */
export function parseCount(text: string): number {
  if (/^[1-9]\d{0,11}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
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
