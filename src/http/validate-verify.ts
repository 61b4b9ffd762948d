/** Validates the body of a request to verify. Pure. */
import { codePoints } from '../text/code-points.ts';
import type { VerifyItem } from '../verify/open-verify.ts';
import { isCslItem, referenceFields } from '../verify/references/object-fields.ts';
import { asObject, assertNone, badRequest, typeName, unknownField } from './field-errors.ts';
import { parseObject } from './validate.ts';

export const VERIFY_ITEMS_MAX = 20;
const QUOTE_CODE_POINTS_MAX = 4_000;
const REFERENCE_CODE_POINTS_MAX = 20_000;
const ID_CODE_POINTS_MAX = 2_000;

type Fields = Record<string, unknown>;

/** Parses a body. Throws a 400 that names the field and what was expected. */
export function parseVerifyBody(body: Uint8Array): VerifyItem[] {
  return parseVerifyFields(parseObject(body));
}

/** The same for an object that was parsed already. */
export function parseVerifyFields({ items, ...others }: Fields): VerifyItem[] {
  assertNone(others, 'the request', ['items']);
  if (!Array.isArray(items)) throw badRequest(`items: expected an array, got ${typeName(items)}`);
  if (items.length === 0) throw badRequest('items: expected at least one item, got none');
  if (items.length > VERIFY_ITEMS_MAX) {
    const message = `items: expected at most ${VERIFY_ITEMS_MAX} items, got ${items.length}`;
    throw badRequest(message);
  }
  return items.map((item: unknown, at) => parseItem(item, `items[${at}]`));
}

function parseItem(item: unknown, name: string): VerifyItem {
  const fields = asObject(item, name);
  if ('quote' in fields && 'reference' in fields) {
    throw badRequest(`${name}: expected either quote or reference, got both`);
  }
  if ('quote' in fields) return parseQuote(fields, name);
  if ('reference' in fields) return parseReference(fields, name);
  assertNone(fields, name, ['quote', 'id', 'reference']);
  throw badRequest(`${name}: expected quote or reference, got neither`);
}

function parseQuote({ quote, id, ...others }: Fields, name: string): VerifyItem {
  assertNone(others, name, ['quote', 'id']);
  const text = asText(quote, `${name}.quote`, QUOTE_CODE_POINTS_MAX);
  if (id === undefined) return { quote: text };
  return { quote: text, id: asText(id, `${name}.id`, ID_CODE_POINTS_MAX) };
}

function parseReference({ reference, ...others }: Fields, name: string): VerifyItem {
  assertNone(others, name, ['reference']);
  const path = `${name}.reference`;
  if (typeof reference === 'string') {
    return { reference: asText(reference, path, REFERENCE_CODE_POINTS_MAX) };
  }
  if (typeof reference !== 'object' || reference === null || Array.isArray(reference)) {
    throw badRequest(`${path}: expected a string or an object, got ${typeName(reference)}`);
  }
  const fields = reference as Fields;
  // CSL-JSON has many fields, and reference managers add more.
  if (isCslItem(fields)) return { reference: fields };
  const unknown = Object.keys(fields).find((field) => !isReferenceField(field));
  if (unknown !== undefined) throw unknownField(unknown, path, referenceFields);
  assertFieldTypes(fields, path);
  return { reference: fields };
}

function isReferenceField(field: string): boolean {
  return (referenceFields as readonly string[]).includes(field);
}

function assertFieldTypes({ authors, year, ...texts }: Fields, path: string): void {
  const areNames = Array.isArray(authors) && authors.every((name) => typeof name === 'string');
  if (authors !== undefined && !areNames) {
    throw badRequest(`${path}.authors: expected an array of strings, got ${typeName(authors)}`);
  }
  if (year !== undefined && !isYear(year)) {
    throw badRequest(
      `${path}.year: expected a year as a number or four digits, got ${typeName(year)}`,
    );
  }
  for (const [field, value] of Object.entries(texts)) {
    if (typeof value === 'string' || (isNumbered(field) && isWholeNumber(value))) continue;
    const expected = isNumbered(field) ? 'a string or a whole number' : 'a string';
    throw badRequest(`${path}.${field}: expected ${expected}, got ${typeName(value)}`);
  }
}

function isYear(value: unknown): boolean {
  if (typeof value === 'string') return /^\d{4}$/.test(value.trim());
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 9999;
}

/** Schemes whose identifiers are numbers. */
function isNumbered(field: string): boolean {
  return field === 'pmid' || field === 's2';
}

function isWholeNumber(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function asText(value: unknown, name: string, most: number): string {
  if (typeof value !== 'string') {
    throw badRequest(`${name}: expected a string, got ${typeName(value)}`);
  }
  if (value.trim() === '') throw badRequest(`${name}: expected text, got an empty string`);
  if (codePoints(value) > most) {
    throw badRequest(`${name}: expected at most ${most} characters`);
  }
  return value.toWellFormed();
}
