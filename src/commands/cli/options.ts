/** Options that several commands share, and how to parse them. */
import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { CREDITS_RANGE, parseCredits } from '../../accounts/amounts/credits.ts';
import { openStore, openStoreForReading } from '../../database/open.ts';
import type { OpenOptions } from '../../database/sqlite/connect.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { namingFault } from '../../database/sqlite/faults.ts';
import { errorTable } from '../../errors.ts';
import { indexPlace } from '../../index/open/index-place.ts';
import { openIndex } from '../../index/open/open-index.ts';
import type { IndexSource } from '../../index/ports/index-source.ts';
import type { Log } from '../../log.ts';
import { clampLimit } from '../../search/result-limit.ts';
import {
  holdsSecrets,
  type ResolvedSetting,
  readSettings,
  readSettingsFile,
  renamedVariables,
  resolveSettings,
  retiredVariables,
  type Settings,
  type SettingsFile,
  settingsTable,
  unknownVariables,
} from '../../settings/config.ts';
import { openLog } from './terminal-log.ts';

export interface CommonOptions {
  config?: string;
  db?: string;
  model?: string;
  json?: boolean;
}

/** Adds `--db`, `--config` and `--json`. */
export function withStoreOptions(command: Command): Command {
  return withConfigOption(
    command.option('--db <file>', 'the database (default: VERBATIM_DB, else verbatim.db)'),
  ).option('--json', 'print JSON for programs');
}

/** Adds `--config`. */
export function withConfigOption(command: Command): Command {
  return command.option(
    '--config <file>',
    'the settings file, or none (see `verbatim config --help`)',
  );
}

/** Adds `--db`, `--config`, `--json` and `--model`. */
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
 * The settings: options, then the environment, then the settings file, then the defaults. Logs a
 * warning for each variable that is unknown or renamed, and for a file of secrets that others read.
 * Throws `usage` for a value or a file that cannot be used.
 */
export function settingsOf(options: CommonOptions, overrides: Partial<Settings> = {}): Settings {
  const file = readSettingsFile(options.config);
  const settings = readSettings(overridesOf(options, overrides), undefined, file);
  warnOf(file, openLog(settings));
  return settings;
}

/** The settings as `settingsOf` returns them, with the origin of each and the file that was read. */
export function settingsWithOrigins(
  options: CommonOptions,
  overrides: Partial<Settings>,
): { resolved: Map<string, ResolvedSetting>; file: SettingsFile | undefined } {
  const file = readSettingsFile(options.config);
  const all = overridesOf(options, overrides);
  warnOf(file, openLog(readSettings(all, undefined, file)));
  return { resolved: resolveSettings(all, undefined, file), file };
}

function overridesOf(
  { db, model }: CommonOptions,
  overrides: Partial<Settings>,
): Partial<Settings> {
  const all = { ...overrides };
  if (db !== undefined) all.database = db;
  if (model !== undefined) all.model = model;
  return all;
}

function warnOf(file: SettingsFile | undefined, log: Log): void {
  for (const { former, variable } of renamedVariables(undefined, file)) {
    log.warn('setting_renamed', { former, variable });
  }
  for (const { variable, fixedAt } of retiredVariables(undefined, file)) {
    log.warn('setting_retired', { variable, fixed_at: fixedAt });
  }
  for (const { variable, suggested } of unknownVariables()) {
    log.warn('setting_unknown', { variable, did_you_mean: suggested });
  }
  if (file?.isOpenToOthers && holdsSecrets(file)) {
    const { path } = file;
    log.warn('settings_file_open_to_others', { path, advice: `run: chmod 600 ${path}` });
  }
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

/** Says something that is not a result. */
export function sayOnTerminal(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Runs work with a store open for writing, created if necessary, and always closes it. */
export function withStore<Result>(settings: Settings, work: (db: Connection) => Result): Result {
  return closing(openOrCreateStore(settings, sayOnTerminal), work);
}

/** Runs work with an existing store open for reading. */
export function withStoreForReading<Result>(
  settings: Settings,
  work: (db: Connection) => Result,
): Result {
  return closing(openStoreForReading(storeOptions(settings)), work);
}

/** Runs work with the index that searches read, and always closes it. */
export async function withSource<Result>(
  settings: Settings,
  work: (source: IndexSource) => Promise<Result>,
): Promise<Result> {
  const source = await (await openIndex(indexPlace(settings))).source({ limits: settings });
  try {
    return await work(source);
  } catch (error) {
    throw namingFault(error, settings.database);
  } finally {
    await source.close();
  }
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

/** For commander: a number of results, clamped as in the API. */
export function parseResultCount(text: string): number {
  if (!/^-?\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  const limit = Number(text);
  if (limit === 0) throw new InvalidArgumentError(errorTable.limit_too_small.message);
  return clampLimit(limit);
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
