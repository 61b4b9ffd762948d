/** Values of JSON as programs write them on one line. Pure. */

const PYTHON: ReadonlyMap<unknown, string> = new Map([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);

/** Returns a value in Python. */
export function pythonLiteral(value: unknown): string {
  return literal(value, PYTHON);
}

/** Returns a value as JSON, which is TypeScript as well, with a space after each comma and colon. */
export function jsonLiteral(value: unknown): string {
  return literal(value, new Map());
}

/** An argument of a shell, which takes every character as it is. */
export function shellLiteral(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function literal(value: unknown, words: ReadonlyMap<unknown, string>): string {
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, words)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(
      ([name, field]) => `${JSON.stringify(name)}: ${literal(field, words)}`,
    );
    return `{${fields.join(', ')}}`;
  }
  return words.get(value) ?? JSON.stringify(value);
}
