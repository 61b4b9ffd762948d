/** Kinds of fields of a request: how each is read, and its schema. Pure. */
import { codePoints } from '../text/code-points.ts';
import { assertNone, badRequest, wrongType } from './field-errors.ts';

/** A schema in JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export type Schema = Readonly<Record<string, unknown>>;

/** What a field may hold. */
export interface FieldKind<T> {
  schema: Schema;
  isRequired?: true;
  /** The value without the field. */
  absent?: T;
  /** Returns the value. Throws a 400 that names the field and what was expected. */
  parse(value: unknown, name: string): T;
}

/** For each field its name in the parsed request, and its kind. */
export type RequestFields<Parsed> = Readonly<
  Record<string, { [Key in keyof Parsed]-?: FieldOf<Parsed, Key> }[keyof Parsed]>
>;

type FieldOf<Parsed, Key extends keyof Parsed> = readonly [Key, FieldKind<Parsed[Key] | undefined>];

/**
 * Reads the fields of an object, which messages call `name`. Throws a 400 for the first one that is
 * unknown, missing, or wrong. `path` stands before the names of fields.
 */
export function parseFields<Parsed>(
  fields: Readonly<Record<string, unknown>>,
  known: RequestFields<Parsed>,
  name: string,
  path = '',
): Parsed {
  assertNone(fields, name, Object.keys(known));
  const parsed: Record<PropertyKey, unknown> = {};
  for (const [field, [key, kind]] of Object.entries(known)) {
    const isRead = fields[field] !== undefined || kind.isRequired;
    const value = isRead ? kind.parse(fields[field], path + field) : kind.absent;
    if (value !== undefined) parsed[key] = value;
  }
  return parsed as Parsed;
}

/** The schema of an object with these fields and no others. */
export function schemaOf<Parsed>(fields: RequestFields<Parsed>) {
  const kinds = Object.entries(fields).map(([name, [, kind]]) => [name, kind] as const);
  const required = kinds.filter(([, kind]) => kind.isRequired).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(kinds.map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The kind of all values that pass a test. Messages say what was `expected`. */
export function kindOf<T>(
  schema: Schema,
  expected: string,
  isValid: (value: unknown) => value is T,
): FieldKind<T> {
  return {
    schema,
    parse(value, name) {
      if (isValid(value)) return value;
      throw wrongType(name, expected, value);
    },
  };
}

export const share = kindOf(
  { type: 'number', minimum: 0, maximum: 1 },
  'a number from 0 to 1',
  (value): value is number => typeof value === 'number' && value >= 0 && value <= 1,
);

export const yesOrNo = kindOf(
  { type: 'boolean' },
  'true or false',
  (value) => typeof value === 'boolean',
);

/** An integer from `minimum` to `maximum`, if there is one. */
export function integer(minimum: number, maximum?: number): FieldKind<number> {
  return kindOf(
    { type: 'integer', minimum, ...(maximum !== undefined && { maximum }) },
    `an integer ${maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`}`,
    (value): value is number =>
      Number.isSafeInteger(value) &&
      Number(value) >= minimum &&
      Number(value) <= (maximum ?? Infinity),
  );
}

/** Some of these names, with commas between them. `advice` says what is wrong with another one. */
export function commaNames<Name extends string>(
  names: readonly Name[],
  advice: (unknown: string) => string,
): FieldKind<Name[]> {
  const pattern = `(${names.join('|')})?`;
  return {
    schema: { type: 'string', pattern: `^ *${pattern}( *, *${pattern})* *$` },
    parse(value, name) {
      if (typeof value !== 'string') {
        throw wrongType(name, 'a string of comma-separated names', value);
      }
      const texts = value.split(',').map((text) => text.trim());
      const found = texts
        .filter((text) => text !== '')
        .map((text) => {
          const known = names.find((each) => each === text);
          if (known === undefined) throw badRequest(`${name}: ${advice(text.slice(0, 64))}`);
          return known;
        });
      return [...new Set(found)];
    },
  };
}

/** A text that is not blank. */
export function textOf(codePointsMax: number): FieldKind<string> {
  return {
    schema: someText(codePointsMax),
    parse(value, name) {
      if (typeof value !== 'string') throw wrongType(name, 'a string', value);
      if (value.trim() === '') throw badRequest(`${name}: expected text, got an empty string`);
      if (codePoints(value) > codePointsMax) {
        throw badRequest(`${name}: expected at most ${codePointsMax} characters`);
      }
      return value.toWellFormed();
    },
  };
}

/** What a text stands for that `parse` returns undefined for if it is something else. */
export function textFor<Value>(
  pattern: string,
  expected: string,
  parse: (text: string) => Value | undefined,
): FieldKind<Value> {
  return {
    schema: { type: 'string', pattern },
    parse(value, name) {
      if (typeof value !== 'string') throw wrongType(name, 'a string', value);
      const parsed = parse(value);
      if (parsed !== undefined) return parsed;
      throw badRequest(`${name}: expected ${expected}`);
    },
  };
}

/** How many texts a field may hold, and how long each may be. */
interface TextLimits {
  most: number;
  charactersMax: number;
}

/** An array of ids. */
export function idList({ most, charactersMax }: TextLimits): FieldKind<string[]> {
  return {
    schema: { type: 'array', items: someText(charactersMax), minItems: 1, maxItems: most },
    parse(value, name) {
      if (!Array.isArray(value)) throw wrongType(name, 'an array of ids', value);
      return parseTexts(value, name, { most, charactersMax });
    },
  };
}

/** One text, or an array of texts. */
export function oneOrMore({ most, charactersMax }: TextLimits): FieldKind<string[]> {
  return {
    schema: oneOrMoreOf(someText(charactersMax), most),
    parse(value, name) {
      if (typeof value !== 'string' && !Array.isArray(value)) {
        throw wrongType(name, 'a string or an array of strings', value);
      }
      return parseTexts([value].flat(), name, { most, charactersMax });
    },
  };
}

/** The schema of one item, or of an array of up to `maxItems`. */
export function oneOrMoreOf(items: Schema, maxItems: number): Schema {
  return { anyOf: [items, { type: 'array', items, minItems: 1, maxItems }] };
}

/** The schema of a text that is not blank. */
function someText(maxLength: number): Schema {
  return { type: 'string', pattern: '\\S', maxLength };
}

function parseTexts(
  values: readonly unknown[],
  name: string,
  { most, charactersMax }: TextLimits,
): string[] {
  if (values.length === 0) throw badRequest(`${name}: expected at least one string, got none`);
  if (values.length > most) {
    throw badRequest(`${name}: expected at most ${most} strings, got ${values.length}`);
  }
  return values.map((text, at) => {
    const place = values.length === 1 ? name : `${name}[${at}]`;
    if (typeof text !== 'string') throw wrongType(place, 'a non-empty string', text);
    if (text.trim() === '') {
      throw badRequest(`${place}: expected a non-empty string, got an empty string`);
    }
    if (text.length > charactersMax) {
      throw badRequest(`${place}: expected at most ${charactersMax} characters`);
    }
    return text.trim().toWellFormed();
  });
}
