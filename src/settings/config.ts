/**
 * The table of settings and limits, where their values come from, and the only file that reads the
 * environment. Every queue, cache, body, wait, retry, and batch has its limit here.
 */
import { dirname, resolve } from 'node:path';
import { VerbatimError } from '../errors.ts';
import { accountSettings } from './accounts-settings.ts';
import { alertSettings } from './alert-settings.ts';
import { closestName } from './closest-name.ts';
import { dashboardSettings } from './dashboard-settings.ts';
import { databaseSettings } from './database-file.ts';
import { fallbackSettings } from './fallback-settings.ts';
import { findSettingsFile, SYSTEM_SETTINGS_FILE } from './find-settings-file.ts';
import { ingestSettings } from './ingest-settings.ts';
import { laneSettings } from './lanes-settings.ts';
import { monitoringSettings } from './monitoring-settings.ts';
import { oauthSettings } from './oauth-settings.ts';
import { objectStorageSettings } from './object-storage-settings.ts';
import { operatorSettings } from './operator-settings.ts';
import { otherVariables } from './other-variables.ts';
import { paidRequestSettings } from './paid-requests-settings.ts';
import { parseSettingsFile } from './parse-settings-file.ts';
import { parseValue } from './parse-value.ts';
import { paymentSettings } from './payments-settings.ts';
import { searchSettings } from './search-settings.ts';
import { serviceSettings } from './service-settings.ts';
import {
  type Limit,
  limitsIn,
  type Setting,
  type SettingsPart,
  type SettingValue,
  settingsIn,
  variableOf,
} from './setting.ts';
import { sharedAccountSettings } from './shared-accounts-settings.ts';
import { sharedIndexSettings } from './shared-index-settings.ts';
import { sourceSettings } from './sources-settings.ts';

const table = {
  ...serviceSettings,
  ...paidRequestSettings,
  ...databaseSettings,
  ...objectStorageSettings,
  ...monitoringSettings,
  ...alertSettings,
  ...accountSettings,
  ...sharedAccountSettings,
  ...dashboardSettings,
  ...operatorSettings,
  ...oauthSettings,
  ...searchSettings,
  ...sharedIndexSettings,
  ...ingestSettings,
  ...sourceSettings,
  ...fallbackSettings,
  ...laneSettings,
  ...paymentSettings,
};

/** A part of the program, with its settings and limits. */
interface PartOfTable {
  title: string;
  rows: SettingsPart;
}

/** The same table by part, for people. */
export const settingsParts: readonly PartOfTable[] = [
  { title: 'Service', rows: serviceSettings },
  { title: 'Paid requests', rows: paidRequestSettings },
  { title: 'Database', rows: databaseSettings },
  { title: 'Copies in S3-compatible storage', rows: objectStorageSettings },
  { title: 'Metrics and log', rows: monitoringSettings },
  { title: 'Alerts', rows: alertSettings },
  { title: 'Accounts', rows: accountSettings },
  { title: 'Accounts on PostgreSQL', rows: sharedAccountSettings },
  { title: 'Dashboard', rows: dashboardSettings },
  { title: "Operator's pages", rows: operatorSettings },
  { title: 'Connecting clients', rows: oauthSettings },
  { title: 'Search', rows: searchSettings },
  { title: 'Index on PostgreSQL', rows: sharedIndexSettings },
  { title: 'Building an index', rows: ingestSettings },
  { title: 'Sources', rows: sourceSettings },
  { title: 'Fallback and learning', rows: fallbackSettings },
  { title: 'Fallback lanes', rows: laneSettings },
  { title: 'Payments', rows: paymentSettings },
];

type Table = typeof table;
type Widened<T> = T extends boolean ? boolean : T extends number ? number : string;

/** The value of every setting and limit by its name, in the type of its default. */
export type Settings = {
  -readonly [Name in keyof Table]: Widened<Table[Name]['value']>;
};

const entries = settingsIn(table);
const limits = new Map(limitsIn(table));

/** The settings by name, without the limits. */
export const settingsTable = Object.fromEntries(entries) as {
  [Name in keyof Table as Table[Name] extends Limit ? never : Name]: Table[Name] & Setting;
};

type Environment = NodeJS.ProcessEnv;

const variables = entries.flatMap(([, { variable }]) => variable);
const formerVariables = entries.flatMap(([, { formerVariable }]) => formerVariable ?? []);
const PREFIX = 'VERBATIM_';

/** Variables of what is gone altogether. They stay known, so that an old settings file is not refused. */
const GONE = [
  ...['VERBATIM_ACTIVITY_PAGE_LINES_MAX', 'VERBATIM_LEDGER_PAGE_ENTRIES_MAX'],
  ...['VERBATIM_PAYMENTS_PAGE_MAX', 'VERBATIM_RECENT_QUESTIONS_PER_SESSION_MAX'],
  'VERBATIM_RECENT_QUESTION_SESSIONS_MAX',
];

/** The limits by the variables that they had when they were settings; undefined for one that is gone. */
const retired = new Map<string, Limit | undefined>([
  ...[...limits].flatMap(([name, limit]) => {
    const variable = variableOf(name);
    return [variable, limit.formerVariable || variable].map((one) => [one, limit] as const);
  }),
  ...GONE.map((variable) => [variable, undefined] as const),
]);

/** Where the value of a setting comes from. */
export type Origin = 'option' | 'environment' | 'file' | 'default';

/** A setting in effect. */
export interface ResolvedSetting {
  value: SettingValue;
  origin: Origin;
  /** The line of the settings file, from 1; undefined if the value is not from there. */
  line: number | undefined;
}

/** What a settings file sets. */
export interface SettingsFile {
  path: string;
  isOpenToOthers: boolean;
  values: ReadonlyMap<string, { text: string; line: number }>;
}

/**
 * The settings: from `overrides`, else from the environment, else from the file, else the defaults.
 * Throws `usage` and names the variable whose value does not fit, with its line in the file.
 */
export function readSettings(
  overrides: Partial<Settings> = {},
  environment: Environment = process.env,
  file?: SettingsFile,
): Settings {
  const values = new Map<string, unknown>([...limits].map(([name, { value }]) => [name, value]));
  for (const [name, value] of limitsOfTest(environment)) values.set(name, value);
  for (const [name, value] of Object.entries(overrides))
    if (limits.has(name)) values.set(name, value);
  for (const [name, { value }] of resolveSettings(overrides, environment, file))
    values.set(name, value);
  return Object.fromEntries(values) as unknown as Settings;
}

/** What a test puts in place of limits: a JSON object. Throws `usage` for a name that is no limit. */
function limitsOfTest(environment: Environment): [name: string, value: number][] {
  const text = textOf('VERBATIM_TEST_LIMITS', environment);
  if (text === undefined) return [];
  const changed = Object.entries(JSON.parse(text) as Record<string, number>);
  const unknown = changed.find(([name]) => !limits.has(name));
  if (unknown !== undefined) {
    throw new VerbatimError('usage', `VERBATIM_TEST_LIMITS: there is no limit ${unknown[0]}`);
  }
  return changed;
}

/** The settings by name as in `readSettings`, with the origin of each. Throws the same. */
export function resolveSettings(
  overrides: Partial<Settings> = {},
  environment: Environment = process.env,
  file?: SettingsFile,
): Map<string, ResolvedSetting> {
  const options = overrides as Record<string, SettingValue | undefined>;
  return new Map(
    entries.map(([name, setting]) => {
      const written = writtenValue(setting, environment, file);
      // Also if an option replaces it, because the next command may come without the option.
      const parsed = written && parseWritten(setting, written);
      const option = options[name];
      if (option !== undefined) return [name, { value: option, origin: 'option', line: undefined }];
      return [name, parsed ?? { value: setting.value, origin: 'default', line: undefined }];
    }),
  );
}

/**
 * Reads the settings file: `named` by an option, else by VERBATIM_CONFIG, else verbatim.conf in the
 * current folder, else /etc/verbatim/verbatim.conf. Undefined if there is none. Throws `usage` if it
 * cannot be read, has an unknown name, or has a line that cannot be understood.
 */
export function readSettingsFile(
  named?: string,
  environment: Environment = process.env,
): SettingsFile | undefined {
  const variable = textOf('VERBATIM_CONFIG', environment);
  const found = findSettingsFile({
    named:
      named !== undefined
        ? { path: named, by: '--config' }
        : variable === undefined
          ? undefined
          : { path: variable, by: 'VERBATIM_CONFIG' },
    folder: '.',
    systemPath: SYSTEM_SETTINGS_FILE,
    user: process.geteuid?.() ?? 0,
  });
  if (found === undefined) return undefined;
  const { path, bytes, isOpenToOthers } = found;
  const values = new Map<string, { text: string; line: number }>();
  for (const { name, text, line } of parseSettingsFile(bytes, path)) {
    const refuse = (message: string): never => {
      throw new VerbatimError('usage', `${path}:${line}: ${message}`);
    };
    const before = values.get(name);
    if (before !== undefined) refuse(`${name} is set twice, first in line ${before.line}`);
    if (name in otherVariables) refuse(`${name} is for the environment, not for a settings file`);
    if (!variables.includes(name) && !formerVariables.includes(name) && !retired.has(name)) {
      const closest = closestVariable(name);
      refuse(`there is no setting ${name}${closest ? `; did you mean ${closest}?` : ''}`);
    }
    values.set(name, { text, line });
  }
  return { path, isOpenToOthers, values };
}

/**
 * Where systemd connected standard output or standard error to its journal, as device and inode:
 * `JOURNAL_STREAM` of systemd.exec(5). Undefined outside of systemd.
 */
export function journalStream(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  return textOf('JOURNAL_STREAM', environment);
}

/** The single file that this program was unpacked from; see scripts/packaging/. */
export interface SingleFile {
  /** What was typed to run it. */
  name: string;
  /** Its full path. */
  path: string;
}

/** Undefined if the program does not run from the single file. */
export function singleFile(environment: Environment = process.env): SingleFile | undefined {
  const name = textOf('VERBATIM_PROGRAM', environment);
  const path = textOf('VERBATIM_FILE', environment);
  return name === undefined || path === undefined ? undefined : { name, path };
}

export interface RenamedVariable {
  former: string;
  variable: string;
}

/** The variables in the environment and in the file that have a new name in this version. */
export function renamedVariables(
  environment: Environment = process.env,
  file?: SettingsFile,
): RenamedVariable[] {
  return entries.flatMap(([, { variable, formerVariable: former }]) => {
    if (former === undefined) return [];
    const isSet = textOf(former, environment) !== undefined || file?.values.has(former);
    return isSet ? [{ former, variable }] : [];
  });
}

export interface RetiredVariable {
  variable: string;
  /** What counts instead, such as `5000 ms`; undefined if nothing does. */
  fixedAt: string | undefined;
}

/** The variables in the environment and in the file that were settings and are constants now, or gone. */
export function retiredVariables(
  environment: Environment = process.env,
  file?: SettingsFile,
): RetiredVariable[] {
  return [...retired].flatMap(([variable, limit]) => {
    const isSet = textOf(variable, environment) !== undefined || file?.values.has(variable);
    return isSet ? [{ variable, fixedAt: limit && `${limit.value} ${limit.unit}` }] : [];
  });
}

export interface UnknownVariable {
  variable: string;
  /** The name that was probably meant; undefined if none is close. */
  suggested: string | undefined;
}

/** The variables in the environment that look like settings of Verbatim and are none. */
export function unknownVariables(environment: Environment = process.env): UnknownVariable[] {
  const known = [
    ...[...variables, ...formerVariables, ...retired.keys()],
    ...Object.keys(otherVariables),
  ];
  return Object.keys(environment)
    .filter((variable) => variable.startsWith(PREFIX) && !known.includes(variable))
    .map((variable) => ({ variable, suggested: closestVariable(variable) }));
}

/** Returns whether the file sets a secret. */
export function holdsSecrets({ values }: SettingsFile): boolean {
  return entries.some(
    ([, setting]) =>
      setting.kind === 'text' && setting.secret && values.get(setting.variable)?.text,
  );
}

interface Written {
  variable: string;
  text: string;
  /** Undefined: from the environment. */
  from: { path: string; line: number } | undefined;
}

/**
 * The text that sets a setting. The new name comes before the former one in the same place, and the
 * names that other programs use come last.
 */
function writtenValue(
  { variable, formerVariable, usualVariables = [] }: Setting,
  environment: Environment,
  file: SettingsFile | undefined,
): Written | undefined {
  const names = [variable, ...(formerVariable === undefined ? [] : [formerVariable])];
  for (const name of names) {
    const text = textOf(name, environment);
    if (text !== undefined) return { variable: name, text, from: undefined };
  }
  for (const name of names) {
    const value = file?.values.get(name);
    if (file === undefined || value === undefined || value.text === '') continue;
    return { variable: name, text: value.text, from: { path: file.path, line: value.line } };
  }
  for (const name of usualVariables) {
    const text = textOf(name, environment);
    if (text !== undefined) return { variable: name, text, from: undefined };
  }
  return undefined;
}

function parseWritten(setting: Setting, { variable, text, from }: Written): ResolvedSetting {
  if (from === undefined) {
    const value = parseValue(setting, { where: variable, text });
    return { value, origin: 'environment', line: undefined };
  }
  const { path, line } = from;
  const value = parseValue(setting, { where: `${path}:${line}: ${variable}`, text });
  // The current folder would be another one for each command.
  const isPath = setting.kind === 'path';
  const resolved = isPath ? resolve(dirname(path), String(value)) : value;
  return { value: resolved, origin: 'file', line };
}

/** Undefined for a variable that is unset, empty, or blank. */
function textOf(variable: string, environment: Environment): string | undefined {
  const text = environment[variable]?.trim();
  return text === '' ? undefined : text;
}

/** The variable that was probably meant. Without the prefix, which would make all names look alike. */
function closestVariable(name: string): string | undefined {
  const withoutPrefix = (full: string): string => full.replace(/^VERBATIM_/i, '');
  const closest = closestName(withoutPrefix(name), variables.map(withoutPrefix));
  return closest && PREFIX + closest;
}
