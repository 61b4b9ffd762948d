/** What the formats of one JSON object a line have in common. */
import { messageOf } from '../errors.ts';
import type { SourceDocument } from '../types.ts';
import { FieldError, type JsonRecord } from './fields.ts';
import type { Format } from './format.ts';
import { splitLines } from './lines.ts';

export interface JsonLinesFormat {
  name: string;
  description: string;
  /** Whether a record is one of this format. */
  matches(record: JsonRecord): boolean;
  /** The document. Throws a FieldError that says what is wrong with the record. */
  toDocument(record: JsonRecord): SourceDocument;
}

/** A format from the mapping of one record. */
export function jsonLinesFormat({
  name,
  description,
  matches,
  toDocument,
}: JsonLinesFormat): Format {
  return {
    ...{ name, description },
    recognises: (head) => head.some((line) => matchesLine(line, matches)),
    async *entries(source, limits) {
      for await (const line of splitLines(source.chunks(), limits.lineBytesMax)) {
        if ('problem' in line) {
          yield { line: line.number, problem: line.problem };
          continue;
        }
        yield { line: line.number, ...readEntry(line.text, toDocument) };
      }
    },
  };
}

function readEntry(
  text: string,
  toDocument: JsonLinesFormat['toDocument'],
): { document: SourceDocument } | { problem: string } {
  const record = parseRecord(text);
  if (typeof record === 'string') return { problem: record };
  try {
    return { document: toDocument(record) };
  } catch (error) {
    if (error instanceof FieldError) return { problem: error.message };
    throw error;
  }
}

function matchesLine(line: string, matches: (record: JsonRecord) => boolean): boolean {
  const record = parseRecord(line);
  return typeof record !== 'string' && matches(record);
}

/** The object of a line, or what is wrong with it. */
function parseRecord(text: string): JsonRecord | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The engine's message quotes the text; a line of rubbish must not fill the terminal.
    return `not JSON: ${messageOf(error).slice(0, 120)}`;
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonRecord) : 'not a JSON object';
}
