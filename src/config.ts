/**
 * The one table of settings, and the only file that reads the environment. Every queue, cache,
 * body, wait, retry and batch has its limit here, with the unit at the end of its name.
 */
import { VerbatimError } from './errors.ts';
import { fallbackSettings } from './fallback/settings/fallback.ts';
import { laneSettings } from './fallback/settings/lanes.ts';
import { accountSettings } from './settings/accounts.ts';
import { dashboardSettings } from './settings/dashboard.ts';
import { ingestSettings } from './settings/ingest.ts';
import { paymentSettings } from './settings/payments.ts';
import { searchSettings } from './settings/search.ts';
import { serviceSettings } from './settings/service.ts';
import type { Setting } from './settings/setting.ts';

export const settingsTable = {
  ...serviceSettings,
  ...accountSettings,
  ...dashboardSettings,
  ...searchSettings,
  ...ingestSettings,
  ...fallbackSettings,
  ...laneSettings,
  ...paymentSettings,
};

type Widened<T> = T extends number ? number : string;

/** Every setting by its name, in the type of its default. */
export type Settings = {
  -readonly [Name in keyof typeof settingsTable]: Widened<(typeof settingsTable)[Name]['value']>;
};

/** Settings that may be 0. All the other numbers are limits, and at least 1. */
const zeroAllowed: ReadonlySet<string> = new Set([
  ...['port', 'holdDelayMs', 'settleDelayMs', 'learn', 'proxiesTrusted', 'selfRegistration'],
  ...['stripeRetriesMax', 'withheldShown', 'warmUpSearches', 'arxivRequestsPerDayMax'],
  ...['semanticScholarRequestsPerDayMax', 'webRequestsPerDayMax'],
]);
/** The greatest port that there is. */
export const PORT_MAX = 65_535;

/** The greatest values of settings that have one. */
const greatest: Readonly<Record<string, number>> = { port: PORT_MAX };
/** Settings that are a share, from 0 to 1. */
const shares: ReadonlySet<string> = new Set(['laneConfidence']);

/**
 * The settings: what `given` names, else the environment, else the defaults.
 * Throws `usage` naming the variable whose value is no number that fits.
 */
export function readSettings(
  given: Partial<Settings> = {},
  environment: NodeJS.ProcessEnv = process.env,
): Settings {
  const settings: Record<string, string | number> = {};
  for (const [name, setting] of Object.entries(settingsTable)) {
    const text = environment[setting.variable];
    const isSet = text !== undefined && text.trim() !== '';
    settings[name] = isSet ? parseValue(name, setting, text.trim()) : setting.value;
  }
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) settings[name] = value;
  }
  return settings as Settings;
}

function parseValue(name: string, setting: Setting<string | number>, text: string) {
  if (typeof setting.value === 'string') return text;
  if (shares.has(name)) return parseShare(setting, text);
  const minimum = zeroAllowed.has(name) ? 0 : 1;
  const maximum = greatest[name];
  const isWhole = /^\d{1,12}$/.test(text);
  if (isWhole && Number(text) >= minimum && Number(text) <= (maximum ?? Infinity)) {
    return Number(text);
  }
  const range = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  throw new VerbatimError(
    'usage',
    `${setting.variable} must be a whole number ${range}, not "${text}"`,
  );
}

function parseShare({ variable }: Setting<string | number>, text: string): number {
  if (/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(text)) return Number(text);
  throw new VerbatimError('usage', `${variable} must be a number from 0 to 1, not "${text}"`);
}
