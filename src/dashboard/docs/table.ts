/** What a table of the documentation is made of. Pure. */
import { type RequestFields, type Schema, schemaOf } from '../../http/field-kinds.ts';

/** Text between backticks is code. Links lead from src/http/API.md. */
export interface DocsTable {
  caption: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Names, or several with commas between them, with what the other columns say about them. */
type Texts = Readonly<Record<string, string | readonly string[]>>;

/** Returns a table with a row for each of the names. */
export function tableOf(caption: string, heads: readonly string[], texts: Texts): DocsTable {
  const rows = Object.entries(texts).map(([names, cells]) => {
    const code = names.split(', ').map((name) => `\`${name}\``);
    return [code.join(', '), ...[cells].flat()];
  });
  return { caption, heads, rows };
}

/** Returns a table of fields that a request may have, with the type of each. */
export function fieldTableOf<Parsed>(
  caption: string,
  head: string,
  fields: RequestFields<Parsed>,
  rules: Readonly<Record<string, string>>,
): DocsTable {
  const { properties, required = [] } = schemaOf(fields);
  const texts = Object.entries(properties).map(([name, schema]) => {
    const type = `${typeOf(schema)}${required.includes(name) ? ', required' : ''}`;
    return [name, [type, rules[name] ?? '']];
  });
  return tableOf(caption, ['field', 'type', head], Object.fromEntries(texts));
}

function typeOf({ type, anyOf }: Schema): string {
  if (anyOf !== undefined) return 'string or array';
  return type === 'array' ? 'array of strings' : String(type ?? 'object');
}

/** Returns a text without its links to files. Links to pages of the service stay. */
export function withoutLinks(text: string): string {
  return text.replace(/\[([^\]]+)\]\((?!\/|http)[^)]+\)/g, '$1');
}
