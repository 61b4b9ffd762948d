/** Schemas whose descriptions come from the tables of the documentation. Pure. */
import { type RequestFields, type Schema, schemaOf } from '../../http/field-kinds.ts';
import { type DocsTable, withoutLinks } from './table.ts';

export const text: Schema = { type: 'string' };
/** A text that is not blank. */
export const someText: Schema = { type: 'string', pattern: '\\S' };
export const wholeNumber: Schema = { type: 'integer', minimum: 0 };

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

export function oneOf(...values: readonly string[]): Schema {
  return { type: 'string', enum: values };
}

/** An object with these properties, of which all but `optional` are required. */
export function objectOf(
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

/** Returns the last column of a table by the names in its first column. */
export function textsByName(table: DocsTable): Map<string, string> {
  const texts = new Map<string, string>();
  for (const row of table.rows) {
    const [names = ''] = row;
    const plain = withoutLinks(row.at(-1) ?? '');
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

/** The schema of an object with these fields and no others, described by a table. */
export function describedObject<Parsed>(fields: RequestFields<Parsed>, table: DocsTable): Schema {
  const schema = schemaOf(fields);
  return { ...schema, properties: describedBy([table], schema.properties) };
}

/** The schema of a body with one field: an array of 1 to `maxItems` such objects. */
export function bodyOf(field: string, schema: string, maxItems: number): Schema {
  const properties = { [field]: { type: 'array', items: ref(schema), minItems: 1, maxItems } };
  return { ...objectOf(properties), additionalProperties: false };
}
