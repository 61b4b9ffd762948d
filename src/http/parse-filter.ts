/** Validates the field `filter` of a search request. Pure. */
import { type PaperType, paperTypes, type SearchFilter } from '../types.ts';
import { asObject, assertNone, badRequest, describeUnknown, typeName } from './field-errors.ts';

/** Ids that a filter may name, and the length of each. */
const IDS_MAX = 200;
const ID_CHARACTERS_MAX = 2000;
/** Venues or sources that a filter may name, and the length of each. */
const VENUES_MAX = 50;
const VENUE_CHARACTERS_MAX = 500;
const YEAR_MAX = 9999;

type Parser = (value: unknown) => Partial<SearchFilter>;

const parsers: Readonly<Record<string, Parser>> = {
  year: (value) => ({ years: parseYears(value) }),
  venue: (value) => ({ venues: parseNames('venue', value) }),
  ids: (value) => ({ ids: parseIds(value) }),
  has_abstract: (value) => ({ hasAbstract: parseBoolean('has_abstract', value) }),
  source: (value) => ({ sources: parseNames('source', value) }),
  type: (value) => ({ types: parseNames('type', value).map(parseType) }),
  open_access: (value) => ({ openAccess: parseBoolean('open_access', value) }),
};

/**
 * Parses a filter. Throws a 400 that names the field and what was expected. Returns undefined for a
 * filter without fields, which allows everything.
 */
export function parseFilter(value: unknown): SearchFilter | undefined {
  const fields = Object.entries(parseObject('filter', value, Object.keys(parsers)));
  const filter: SearchFilter = {};
  for (const [name, field] of fields) Object.assign(filter, parsers[name]?.(field));
  return fields.length === 0 ? undefined : filter;
}

/** The object in a field, with no other names than these. */
function parseObject(
  name: string,
  value: unknown,
  known: readonly string[],
): Record<string, unknown> {
  const fields = asObject(value, name);
  assertNone(fields, name, known);
  return fields;
}

function parseYears(value: unknown): { from: number; to: number } {
  const years = parseObject('filter.year', value, ['from', 'to']);
  const [from, to] = ['from', 'to'].map((end) => parseYear(`filter.year.${end}`, years[end]));
  if (from === undefined && to === undefined) {
    throw badRequest('filter.year: expected from, to or both, got neither');
  }
  if ((from ?? 0) > (to ?? YEAR_MAX)) {
    throw badRequest(`filter.year: expected from to be at most to, got ${from} and ${to}`);
  }
  return { from: from ?? 1, to: to ?? YEAR_MAX };
}

function parseYear(name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const isYear = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= YEAR_MAX;
  if (isYear) return value as number;
  throw badRequest(`${name}: expected an integer from 1 to ${YEAR_MAX}, got ${typeName(value)}`);
}

/** One name or an array of names. */
function parseNames(field: string, value: unknown): string[] {
  const name = `filter.${field}`;
  if (typeof value !== 'string' && !Array.isArray(value)) {
    throw badRequest(`${name}: expected a string or an array of strings, got ${typeName(value)}`);
  }
  const texts = typeof value === 'string' ? [value] : value;
  return parseTexts(name, texts, { most: VENUES_MAX, charactersMax: VENUE_CHARACTERS_MAX });
}

function parseIds(value: unknown): string[] {
  if (!Array.isArray(value)) {
    throw badRequest(`filter.ids: expected an array of ids, got ${typeName(value)}`);
  }
  return parseTexts('filter.ids', value, { most: IDS_MAX, charactersMax: ID_CHARACTERS_MAX });
}

function parseTexts(
  name: string,
  values: readonly unknown[],
  { most, charactersMax }: { most: number; charactersMax: number },
): string[] {
  if (values.length === 0) throw badRequest(`${name}: expected at least one string, got none`);
  if (values.length > most) {
    throw badRequest(`${name}: expected at most ${most} strings, got ${values.length}`);
  }
  return values.map((text, at) => {
    const place = values.length === 1 ? name : `${name}[${at}]`;
    if (typeof text !== 'string' || text.trim() === '') {
      const got = typeof text === 'string' ? 'an empty string' : typeName(text);
      throw badRequest(`${place}: expected a non-empty string, got ${got}`);
    }
    if (text.length > charactersMax) {
      throw badRequest(`${place}: expected at most ${charactersMax} characters`);
    }
    return text.trim().toWellFormed();
  });
}

function parseType(text: string): PaperType {
  const type = paperTypes.find((known) => known === text);
  if (type !== undefined) return type;
  throw badRequest(`filter.type: unknown type ${describeUnknown(text, paperTypes)}`);
}

function parseBoolean(field: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw badRequest(`filter.${field}: expected true or false, got ${typeName(value)}`);
}
