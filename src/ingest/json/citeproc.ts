/**
 * Reads names and dates in the form of CSL-JSON (citationstyles.org), which Crossref's metadata
 * follow. Values in other forms count as absent. Pure.
 */

import { markupToLine } from '../values/markup.ts';
import { firstText, isObject, type JsonRecord } from './fields.ts';

/** A year, which month and day may follow as in 20200101. */
const YEAR = /(?<!\d)([12]\d{3})(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))?(?!\d)/;

/** "Ludwig van Beethoven", or the name of a group. */
export function nameOf(person: JsonRecord): string {
  const { given, family, suffix, literal, name } = person;
  const particles = [person['dropping-particle'], person['non-dropping-particle']];
  const parts = [given, ...particles, family, suffix].map((part) => firstText(part));
  const own = parts.filter((part) => part !== '').join(' ');
  return markupToLine(own === '' ? firstText(literal, name) : own);
}

/** The year of `{"date-parts": [[2020, 5]]}`, `{"raw": "May 2020"}` or "2020-05"; 0 without. */
export function yearOf(date: unknown): number {
  if (!isObject(date)) return yearIn(date);
  const parts = date['date-parts'];
  const [first] = Array.isArray(parts) ? parts : [];
  const [year] = Array.isArray(first) ? first : [first];
  return yearIn(year) || yearIn(date['raw']) || yearIn(date['literal']);
}

function yearIn(value: unknown): number {
  const isNumber = typeof value === 'number' && Number.isInteger(value);
  if (isNumber) return value > 0 && value <= 9999 ? value : 0;
  return Number(YEAR.exec(firstText(value).slice(0, 100))?.[1] ?? 0);
}

/** A string, or the first of an array of strings, in one line; '' without one. */
export function lineOf(value: unknown): string {
  return markupToLine(Array.isArray(value) ? firstText(...value.slice(0, 10)) : firstText(value));
}
