/**
 * Reads records of tagged lines, as RIS, PubMed, and Web of Science write them: `TI  - A title`. Lines
 * without a tag continue the line before.
 */

import { splitLines } from '../read/lines.ts';
import type { SkipReason } from '../read/packed-format.ts';

export interface TaggedOptions {
  /** Matches a tag (group 1) and its value (group 2), which may contain any character. */
  tag: RegExp;
  /** The tag that starts a record, or whether a line does. */
  first: string | StartsRecord;
  /** The tag that ends a record. It may be missing. */
  last?: string;
  /** Tags for which each line without a tag is another value. */
  lists?: readonly string[];
  lineBytesMax: number;
}

export type TaggedRecord = { line: number } & (
  | { fields: TaggedFields }
  | { problem: string; reason: SkipReason }
);

/** Whether a line starts a record. `before`: the fields of the record that is open, if any is. */
export type StartsRecord = (
  line: { tag: string; value: string; isAfterBlank: boolean },
  before: TaggedFields | undefined,
) => boolean;

/** The values of each tag, in order. */
export type TaggedFields = ReadonlyMap<string, readonly string[]>;

/** Characters that break a line for some programs, but not for those that write these files. */
const LINE_BREAKS_WITHIN = /[\r\u2028\u2029]+/g;

interface PendingRecord {
  line: number;
  fields: Map<string, string[]>;
  characters: number;
  /** The values that a line without a tag continues. */
  values: string[] | undefined;
  /** Whether a line without a tag is another value. */
  isInList: boolean;
  problem: { problem: string; reason: SkipReason } | undefined;
}

/**
 * The records of a file. A record without an end tag ends at the next record or at the end of the
 * file. Lines outside records, such as the headers of exports, are ignored.
 */
export async function* readTaggedRecords(
  chunks: AsyncIterable<Buffer>,
  { tag, first, last, lists = [], lineBytesMax }: TaggedOptions,
): AsyncGenerator<TaggedRecord> {
  const starts: StartsRecord = typeof first === 'string' ? (line) => line.tag === first : first;
  let record: PendingRecord | undefined;
  let numberBefore = 0;
  for await (const line of splitLines(chunks, lineBytesMax)) {
    const { number } = line;
    const isAfterBlank = number > numberBefore + 1;
    numberBefore = number;
    if ('problem' in line) {
      const problem = { problem: line.problem, reason: line.reason };
      if (record === undefined) yield { line: number, ...problem };
      else record.problem ??= { ...problem, problem: `line ${number}: ${line.problem}` };
      continue;
    }
    const [, name, value = ''] = tag.exec(line.text) ?? [];
    if (name !== undefined && starts({ tag: name, value, isAfterBlank }, record?.fields)) {
      if (record !== undefined) yield finished(record);
      record = {
        line: number,
        fields: new Map(),
        characters: 0,
        values: [],
        isInList: false,
        problem: undefined,
      };
    }
    if (record === undefined) continue;
    if (name === last && name !== undefined) {
      yield finished(record);
      record = undefined;
      continue;
    }
    if (name !== undefined) record.isInList = lists.includes(name);
    addLine(record, { name, text: name === undefined ? line.text : value, lineBytesMax });
  }
  if (record !== undefined) yield finished(record);
}

function addLine(
  record: PendingRecord,
  { name, text, lineBytesMax }: { name: string | undefined; text: string; lineBytesMax: number },
): void {
  record.characters += text.length;
  if (record.characters > lineBytesMax) {
    const problem = `the record has more than ${lineBytesMax} characters`;
    record.problem ??= { problem, reason: 'too_long' };
    record.fields.clear();
    return;
  }
  const value = text.replace(LINE_BREAKS_WITHIN, ' ').trim();
  if (name === undefined) {
    const values = record.values ?? [];
    if (record.isInList) values.push(value);
    else values.push([values.pop() ?? '', value].filter((part) => part !== '').join(' '));
    return;
  }
  record.values = record.fields.get(name) ?? [];
  record.values.push(value);
  record.fields.set(name, record.values);
}

function finished({ line, fields, problem }: PendingRecord): TaggedRecord {
  return problem === undefined ? { line, fields } : { line, ...problem };
}
