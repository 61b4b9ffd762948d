/** Reads YAML. Only this file uses the library; it is imported on demand. Pure. */
import { isMap, LineCounter, parseAllDocuments } from 'yaml';

/** A document, or what is wrong with it, with the line where that is. */
export type YamlDocument = { line: number } & ({ value: unknown } | { problem: string });

/** Characters of a message of the library that are shown. */
const MESSAGE_CHARACTERS_MAX = 150;

/** The documents in a text. All their scalars are strings, so that a title may be a number. */
export function yamlDocuments(text: string): YamlDocument[] {
  const lineCounter = new LineCounter();
  const lineAt = (offset: number): number => Math.max(lineCounter.linePos(offset).line, 1);
  try {
    // The library compares each key with all others, which takes minutes for a file of keys.
    const uniqueKeys = false;
    const options = { schema: 'failsafe', uniqueKeys, lineCounter, prettyErrors: false } as const;
    return [...parseAllDocuments(text, options)].map((document) => {
      const { contents, errors } = document;
      const [mistake] = errors;
      if (mistake !== undefined) {
        return { line: lineAt(mistake.pos[0]), problem: problemOf(mistake) };
      }
      const line = lineAt(contents?.range?.[0] ?? 0);
      const names = isMap(contents) ? contents.items.map(({ key }) => String(key)) : [];
      // Two files with nothing between them.
      if (new Set(names).size < names.length) return { line, problem: 'a field stands twice' };
      return { line, value: document.toJS() };
    });
  } catch (error) {
    // Too many aliases, or the stack overflows because values nest too deep.
    if (!(error instanceof ReferenceError || error instanceof RangeError)) throw error;
    return [{ line: 1, problem: problemOf(error) }];
  }
}

function problemOf({ message }: Error): string {
  return `not valid YAML: ${message.slice(0, MESSAGE_CHARACTERS_MAX)}`;
}
