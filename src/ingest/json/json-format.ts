/** What the formats of JSON records have in common: reading, recognising, naming what is wrong. */

import type { EntryContent, Format } from '../read/format.ts';
import { FieldError, type JsonRecord } from './fields.ts';
import { parseObject } from './json-parse.ts';
import { jsonTextsOf, readJsonTexts } from './json-text.ts';

export interface JsonFormat {
  name: string;
  description: string;
  /** Whether a record is one of this format; of a long one only the first fields may be there. */
  matches(record: JsonRecord): boolean;
  /** Awaited before the first record is read. */
  prepare?: () => Promise<void>;
  /** What a record holds. Throws a FieldError that says what is wrong with it. */
  read(record: JsonRecord): EntryContent | EntryContent[];
}

/** A format from the mapping of one record. */
export function jsonFormat({ name, description, matches, prepare, read }: JsonFormat): Format {
  return {
    name,
    description,
    recognizes: (head) => jsonTextsOf(head).some((text) => matchesText(text, matches)),
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

function matchesText(text: string, matches: JsonFormat['matches']): boolean {
  try {
    return matches(parseObject(text));
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    return false;
  }
}
