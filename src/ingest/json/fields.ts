/** Reads fields of untrusted records: tolerates absent fields, rejects wrong types. Pure. */
import type { SkipReason } from '../read/packed-format.ts';

export type JsonRecord = Record<string, unknown>;

/** Thrown by the readers below. Its message says which field is wrong, and how. */
export class FieldError extends Error {
  readonly reason: SkipReason;

  constructor(message: string, reason: SkipReason = 'malformed') {
    super(message);
    this.reason = reason;
  }
}

/** A string; '' if absent or null. */
export function readText(record: JsonRecord, field: string): string {
  const value = record[field];
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return cleanText(value);
  throw new FieldError(`"${field}" must be a string, not ${typeName(value)}`);
}

/** An id, a string or a number; '' if absent. */
export function readId(record: JsonRecord, field: string): string {
  const value = record[field];
  if (typeof value !== 'number') return readText(record, field).trim();
  // Beyond 2^53 JSON.parse rounds: two ids would become one.
  if (Number.isSafeInteger(value)) return String(value);
  throw new FieldError(`"${field}" must be a string or a whole number below 2^53, not ${value}`);
}

/** A year as a number or digits; 0 if absent. */
export function readYear(record: JsonRecord, field: string): number {
  const value = record[field];
  if (value === undefined || value === null || value === '') return 0;
  const year = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value;
  if (typeof year === 'number' && Number.isInteger(year) && year >= 0 && year <= 9999) return year;
  throw new FieldError(`"${field}" must be a year, not ${JSON.stringify(value)?.slice(0, 40)}`);
}

/** The first value that is a non-blank string; '' without one. */
export function firstText(...values: unknown[]): string {
  const text = values.find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof text === 'string' ? cleanText(text).trim() : '';
}

/** The non-empty names in an array of strings or of objects with a `name`. */
export function readNames(record: JsonRecord, field: string): string[] {
  const value = record[field];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    throw new FieldError(`"${field}" must be an array of names, not ${typeName(value)}`);
  }
  return value
    .map((item: unknown) => {
      const name = typeof item === 'object' && item !== null ? (item as JsonRecord)['name'] : item;
      if (typeof name === 'string') return cleanText(name).trim();
      throw new FieldError(`"${field}" must be an array of names, not of ${typeName(item)}`);
    })
    .filter((name) => name !== '');
}

/** An object; an empty one if absent. */
export function readObject(record: JsonRecord, field: string): JsonRecord {
  const value = record[field];
  return isObject(value) ? value : {};
}

/** The objects in an array. Other values are left out. */
export function readObjects(record: JsonRecord, field: string): JsonRecord[] {
  const value = record[field];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function isObject(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A time in milliseconds since 1970, from such a number or from a date; 0 if absent. */
export function readTime(record: JsonRecord, field: string): number {
  const value = record[field];
  if (value === undefined || value === null || value === '') return 0;
  const time = timeOf(value);
  if (time !== undefined) return time;
  throw new FieldError(`"${field}" must be a date, not ${JSON.stringify(value)?.slice(0, 40)}`);
}

/** Like `readTime`, but a date that cannot be parsed counts as absent. */
export function readTimeIfAny(record: JsonRecord, field: string): number {
  return timeOf(record[field]) ?? 0;
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(inUtc(value)) : value;
  // The range of Date.
  const isTime = typeof time === 'number' && Number.isInteger(time) && Math.abs(time) <= 8.64e15;
  return isTime ? time : undefined;
}

/** A time without a zone counts as UTC, so that it does not depend on the machine. */
function inUtc(text: string): string {
  return /^\d{4}-\d\d-\d\d[T ]\d\d:[\d:.]+$/.test(text) ? `${text.replace(' ', 'T')}Z` : text;
}

/**
 * The text as SQLite will store it, so that offsets stay valid: lone surrogates cannot be stored as
 * UTF-8, and NUL would end the text for the full-text index.
 */
function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{fffd}');
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
