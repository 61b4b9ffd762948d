/** Reads the value of a setting from text, by the kind of its row. Pure. */

import { VerbatimError } from '../errors.ts';
import { suggestion } from './closest-name.ts';
import type {
  ChoiceSetting,
  IntegerSetting,
  ListSetting,
  Setting,
  SettingValue,
} from './setting.ts';

/** The least value of an integer setting whose row has no other one. */
export const DEFAULT_MIN = 1;

/** A value as somebody wrote it. */
export interface WrittenValue {
  /** What errors call the setting: its variable, after file and line if it stands in a file. */
  where: string;
  text: string;
}

/** Returns the value. Throws `usage` with the place and the rule if the text does not fit. */
export function parseValue(setting: Setting, written: WrittenValue): SettingValue {
  switch (setting.kind) {
    case 'text':
    case 'path':
      return written.text;
    case 'choice':
      return parseChoice(setting, written);
    case 'list':
      return parseList(setting, written);
    case 'integer':
      return parseInteger(setting, written);
    case 'share':
      return parseShare(written);
    case 'boolean':
      return parseBoolean(written);
  }
}

function parseChoice({ choices }: ChoiceSetting, written: WrittenValue): string {
  if (choices.includes(written.text)) return written.text;
  throw invalidValue(written, `one of ${choices.join(', ')}`, suggestion(written.text, choices));
}

function parseList({ choices, none }: ListSetting, written: WrittenValue): string {
  if (written.text === none) return none;
  const names = written.text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !choices.includes(name));
  if (unknown === undefined) return names.join(',');
  const known = none === undefined ? choices : [...choices, none];
  const rule = `some of ${choices.join(',')}${none === undefined ? '' : `, or ${none}`}`;
  throw invalidValue(written, rule, suggestion(unknown, known));
}

function parseInteger({ min = DEFAULT_MIN, max }: IntegerSetting, written: WrittenValue): number {
  const isInteger = /^\d{1,12}$/.test(written.text);
  const value = Number(written.text);
  if (isInteger && value >= min && value <= (max ?? Infinity)) return value;
  throw invalidValue(
    written,
    `a whole number ${max === undefined ? `of at least ${min}` : `from ${min} to ${max}`}`,
  );
}

function parseShare(written: WrittenValue): number {
  if (/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(written.text)) return Number(written.text);
  throw invalidValue(written, 'a number from 0 to 1');
}

function parseBoolean(written: WrittenValue): boolean {
  if (/^(1|true)$/i.test(written.text)) return true;
  if (/^(0|false)$/i.test(written.text)) return false;
  throw invalidValue(written, 'true or false');
}

function invalidValue({ where, text }: WrittenValue, rule: string, advice = ''): VerbatimError {
  return new VerbatimError('usage', `${where} must be ${rule}, not "${text}"${advice}`);
}
