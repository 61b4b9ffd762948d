/** Reads and recognizes the formats whose records are JSON objects, and reports bad records. */

import type { EntryContent, Format, Head } from '../read/packed-format.ts';
import { FieldError, type JsonRecord } from './fields.ts';
import { parseObject } from './json-parse.ts';
import { jsonTextsOf, readJsonTexts } from './json-text.ts';

export interface JsonFormat {
  name: string;
  description: string;
  /** Whether a record is of this format. Of a long record only the first fields may be present. */
  matches(record: JsonRecord): boolean;
  /** Awaited before the first record is read. */
  prepare?: () => Promise<void>;
  /** The content of a record. Throws a FieldError that says what is wrong with it. */
  read(record: JsonRecord): EntryContent | EntryContent[];
}

/** Creates a format from the mapping of one record. */
export function jsonFormat({ name, description, matches, prepare, read }: JsonFormat): Format {
  return {
    name,
    description,
    recognizes: (head) => recordsIn(head).some((record) => matches(record)),
    countRecognized: (head) => recordsIn(head).filter((record) => matches(record)).length,
    async *entries(source, limits) {
      await prepare?.();
      for await (const record of readJsonTexts(source, limits)) {
        const line = record.number;
        if ('problem' in record) yield { line, problem: record.problem, reason: record.reason };
        else {
          const { text: raw } = record;
          for (const content of readContents(raw, read)) yield { line, raw, ...content };
        }
      }
    },
  };
}

function readContents(text: string, read: JsonFormat['read']): EntryContent[] {
  try {
    return [read(parseObject(text))].flat();
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    return [{ problem: error.message, reason: error.reason }];
  }
}

/** The records of each head: every JSON format looks at the same head in turn. */
const parsed = new WeakMap<Head, JsonRecord[]>();

/** The records in the head of a file. Text that is not an object is left out. */
function recordsIn(head: Head): JsonRecord[] {
  const known = parsed.get(head);
  if (known !== undefined) return known;
  const records = jsonTextsOf(head).flatMap(objectIn);
  parsed.set(head, records);
  return records;
}

function objectIn(text: string): JsonRecord[] {
  // A failed parse is slow, and folders may hold thousands of files that are not JSON.
  if (!text.trimStart().startsWith('{')) return [];
  try {
    return [parseObject(text)];
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    return [];
  }
}
