/** Reads fields of records that others wrote: tolerant of absence, strict about types. Pure. */
export type JsonRecord = Record<string, unknown>;

/** Thrown by the readers below; its message says which field is wrong and how. */
export class FieldError extends Error {}

/** A text, '' where it is absent or null. */
export function readText(record: JsonRecord, field: string): string {
  const value = record[field];
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return cleanText(value);
  throw new FieldError(`"${field}" must be a string, not ${typeName(value)}`);
}

/** An id: a text or a number, '' where it is absent. */
export function readId(record: JsonRecord, field: string): string {
  const value = record[field];
  if (typeof value !== 'number') return readText(record, field).trim();
  // Beyond 2^53 JSON.parse rounds: two ids would become one.
  if (Number.isSafeInteger(value)) return String(value);
  throw new FieldError(`"${field}" must be a string or a whole number below 2^53, not ${value}`);
}

/** A year, 0 where it is absent; digits in a string are read too. */
export function readYear(record: JsonRecord, field: string): number {
  const value = record[field];
  if (value === undefined || value === null || value === '') return 0;
  const year = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value;
  if (typeof year === 'number' && Number.isInteger(year) && year >= 0 && year <= 9999) return year;
  throw new FieldError(`"${field}" must be a year, not ${JSON.stringify(value)?.slice(0, 40)}`);
}

/** Names: an array of strings or of objects with a `name`. Empty ones are left out. */
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

/** A DOI in the one form that is compared and returned: lower case, without a resolver. */
export function normalizeDoi(text: string): string {
  return text
    .trim()
    .replace(/^(https?:\/\/(dx\.)?doi\.org\/|doi:\s*)/i, '')
    .toLowerCase();
}

/**
 * The text as SQLite will keep it, so that offsets counted now hold later: halves of surrogate
 * pairs cannot be stored as UTF-8, and NUL would end the text for the full-text index.
 */
function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{fffd}');
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
