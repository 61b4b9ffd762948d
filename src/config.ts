/**
 * The table of settings, and the only file that reads the environment. Every queue, cache, body,
 * wait, retry, and batch has its limit here.
 */
import { VerbatimError } from './errors.ts';
import { fallbackSettings } from './fallback/settings/fallback.ts';
import { laneSettings } from './fallback/settings/lanes.ts';
import { accountSettings } from './settings/accounts.ts';
import { dashboardSettings } from './settings/dashboard.ts';
import { databaseSettings } from './settings/database.ts';
import { ingestSettings } from './settings/ingest.ts';
import { paymentSettings } from './settings/payments.ts';
import { searchSettings } from './settings/search.ts';
import { serviceSettings } from './settings/service.ts';
import type { IntegerSetting, Setting } from './settings/setting.ts';

export const settingsTable = {
  ...serviceSettings,
  ...databaseSettings,
  ...accountSettings,
  ...dashboardSettings,
  ...searchSettings,
  ...ingestSettings,
  ...fallbackSettings,
  ...laneSettings,
  ...paymentSettings,
};

type Widened<T> = T extends boolean ? boolean : T extends number ? number : string;

/** Every setting by its name, in the type of its default. */
export type Settings = {
  -readonly [Name in keyof typeof settingsTable]: Widened<(typeof settingsTable)[Name]['value']>;
};

type Value = string | number | boolean;

const entries: readonly (readonly [name: string, setting: Setting])[] =
  Object.entries(settingsTable);

/** The least value of an integer setting whose row has no other one. */
export const DEFAULT_MIN = 1;

/**
 * The settings: from `given`, else from the environment, else the defaults. Throws `usage` and names
 * the variable whose value does not fit.
 */
export function readSettings(
  given: Partial<Settings> = {},
  environment: NodeJS.ProcessEnv = process.env,
): Settings {
  const settings: Record<string, Value> = {};
  for (const [name, setting] of entries) {
    const found = findVariable(setting, environment);
    settings[name] = found === undefined ? setting.value : parseValue(setting, found);
  }
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) settings[name] = value;
  }
  return settings as Settings;
}

export interface RenamedVariable {
  former: string;
  variable: string;
}

/** The variables in the environment that have a new name in this version. */
export function renamedVariables(environment: NodeJS.ProcessEnv = process.env): RenamedVariable[] {
  return entries.flatMap(([, { variable, formerVariable: former }]) =>
    former !== undefined && textOf(former, environment) !== undefined ? [{ former, variable }] : [],
  );
}

interface Found {
  variable: string;
  text: string;
}

/** The variable that sets a setting. The new name comes before the former one. */
function findVariable(
  { variable, formerVariable }: Setting,
  environment: NodeJS.ProcessEnv,
): Found | undefined {
  for (const name of [variable, formerVariable]) {
    const text = name === undefined ? undefined : textOf(name, environment);
    if (name !== undefined && text !== undefined) return { variable: name, text };
  }
  return undefined;
}

/** Undefined for a variable that is unset, empty, or blank. */
function textOf(variable: string, environment: NodeJS.ProcessEnv): string | undefined {
  const text = environment[variable]?.trim();
  return text === '' ? undefined : text;
}

function parseValue(setting: Setting, found: Found): Value {
  switch (setting.kind) {
    case 'text':
      return found.text;
    case 'integer':
      return parseInteger(setting, found);
    case 'share':
      return parseShare(found);
    case 'boolean':
      return parseBoolean(found);
  }
}

function parseInteger({ min = DEFAULT_MIN, max }: IntegerSetting, { variable, text }: Found) {
  const isInteger = /^\d{1,12}$/.test(text);
  const value = Number(text);
  if (isInteger && value >= min && value <= (max ?? Infinity)) return value;
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new VerbatimError('usage', `${variable} must be a whole number ${range}, not "${text}"`);
}

function parseShare({ variable, text }: Found): number {
  if (/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(text)) return Number(text);
  throw new VerbatimError('usage', `${variable} must be a number from 0 to 1, not "${text}"`);
}

function parseBoolean({ variable, text }: Found): boolean {
  if (/^(1|true)$/i.test(text)) return true;
  if (/^(0|false)$/i.test(text)) return false;
  throw new VerbatimError('usage', `${variable} must be true or false, not "${text}"`);
}
