/** Schemas whose descriptions come from the tables of the documentation. Pure. */
import type { DocsTable } from './tables.ts';

/** A schema in JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export type Schema = Readonly<Record<string, unknown>>;

/** Links in the tables lead from src/http/API.md. */
const LINK = /\[([^\]]+)\]\([^)]+\)/g;

export const text: Schema = { type: 'string' };
/** A text that is not blank. */
export const someText: Schema = { type: 'string', pattern: '\\S' };
export const wholeNumber: Schema = { type: 'integer', minimum: 0 };
export const yesOrNo: Schema = { type: 'boolean' };
export const share: Schema = { type: 'number', minimum: 0, maximum: 1 };

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

export function oneOf(...values: readonly string[]): Schema {
  return { type: 'string', enum: values };
}

/** A text with some of these names, separated by commas. */
export function namesOf(names: readonly string[]): Schema {
  const name = `(${names.join('|')})?`;
  return { type: 'string', pattern: `^ *${name}( *, *${name})* *$` };
}

/** An object with these properties, of which all but `optional` are required. */
export function objectOf(
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

/** The same without any other property: the server refuses them. */
export function closedObjectOf(
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema {
  return { ...objectOf(properties, optional), additionalProperties: false };
}

/** Returns the last column of a table by the names in its first column. */
export function textsByName(table: DocsTable): Map<string, string> {
  const texts = new Map<string, string>();
  for (const row of table.rows) {
    const [names = ''] = row;
    const plain = (row.at(-1) ?? '').replace(LINK, '$1');
    for (const [, name = ''] of names.matchAll(/`([^`]+)`/g)) {
      const before = texts.get(name);
      texts.set(name, before === undefined ? plain : `${before}; or ${plain}`);
    }
  }
  return texts;
}

/** Adds to each property what the tables say about it. Throws if they do not have it. */
export function describedBy(
  tables: readonly DocsTable[],
  properties: Readonly<Record<string, Schema>>,
): Record<string, Schema> {
  const texts = new Map(tables.flatMap((table) => [...textsByName(table)]));
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const description = texts.get(name);
      if (description === undefined) throw new Error(`no table describes ${name}`);
      return [name, { ...schema, description }];
    }),
  );
}
