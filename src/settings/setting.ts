/** What a setting is. If its unit is one of measure, the name of the setting ends in it, such as `Ms`. */

interface SettingBase {
  /** The environment variable, if it is not made of the name: see `variableOf`. */
  variable?: string;
  /** One phrase that says what the setting does, for the reference. */
  help: string;
  /** The name of the variable in the version before. It still works, with a warning. */
  formerVariable?: string;
  /**
   * Variables of the environment by which other programs know the value. They count if neither the
   * environment nor the settings file has the setting's own.
   */
  usualVariables?: readonly string[];
}

export interface TextSetting extends SettingBase {
  kind: 'text';
  value: string;
  /** Whether the value must never be shown. */
  secret?: true;
}

/** A file or a folder. In a settings file, a relative path starts at the folder of that file. */
export interface PathSetting extends SettingBase {
  kind: 'path';
  value: string;
}

/** One of a few words. */
export interface ChoiceSetting extends SettingBase {
  kind: 'choice';
  value: string;
  choices: readonly string[];
}

/** Some of a few words, separated by commas. */
export interface ListSetting extends SettingBase {
  kind: 'list';
  value: string;
  choices: readonly string[];
  /** The word that stands for an empty list. */
  none?: string;
}

export interface IntegerSetting extends SettingBase {
  kind: 'integer';
  value: number;
  unit: string;
  /** The least value. Absent: 1. */
  min?: number;
  /** The greatest value. Absent: the greatest of 12 digits. */
  max?: number;
  /** The default in words, if it depends on the machine. */
  defaultText?: string;
}

/** A number from 0 to 1. */
export interface ShareSetting extends SettingBase {
  kind: 'share';
  value: number;
}

/** Written as true or false, or as 1 or 0. */
export interface BooleanSetting extends SettingBase {
  kind: 'boolean';
  value: boolean;
}

type SettingRow =
  | TextSetting
  | PathSetting
  | ChoiceSetting
  | ListSetting
  | IntegerSetting
  | ShareSetting
  | BooleanSetting;

/**
 * A bound that no operator has to decide: a constant of the program. `verbatim config --limits` prints
 * it. Tests change it with VERBATIM_TEST_LIMITS.
 */
export interface Limit {
  value: number;
  unit: string;
  /** What it bounds, and what happens beyond it. */
  why: string;
  /** Its variable from when it was a setting; empty if that is made of its name. */
  formerVariable: string;
}

/** Returns a limit. `why` says what it bounds, and what happens beyond it. */
export function limit(value: number, unit: string, why: string, formerVariable = ''): Limit {
  return { value, unit, why, formerVariable };
}

/** The value of a setting of any kind. */
export type SettingValue = string | number | boolean;

/** The settings and limits of one part of the program. The `value` of a setting is its default. */
export type SettingsPart = Readonly<Record<string, Readonly<SettingRow | Limit>>>;

/** A row of a part, if it is a setting, with its variable. */
export type Setting = Readonly<SettingRow> & { variable: string };

/** Returns the settings of a part by their names. */
export function settingsIn(part: SettingsPart): [name: string, setting: Setting][] {
  return Object.entries(part).flatMap(([name, row]) =>
    'kind' in row ? [[name, { variable: variableOf(name), ...row }]] : [],
  );
}

/** Returns the limits of a part by their names. */
export function limitsIn(part: SettingsPart): [name: string, limit: Limit][] {
  return Object.entries(part).flatMap(([name, row]) => ('kind' in row ? [] : [[name, row]]));
}

/** Returns the variable of a setting: that of `bodyTimeoutMs` is VERBATIM_BODY_TIMEOUT_MS. */
export function variableOf(name: string): string {
  return `VERBATIM_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
