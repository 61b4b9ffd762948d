/**
 * The records of a JSON file as texts, whichever way they stand in it: one a line, in one array, in
 * the list of an API's answer, or as objects one after the other over many lines.
 */
import { VerbatimError } from '../../errors.ts';
import type { FormatLimits, Head } from '../read/format.ts';
import { type Line, splitLines } from '../read/lines.ts';
import { peek } from '../read/peek.ts';
import type { ByteSource } from '../read/source.ts';
import { decodeUtf8, NOT_UTF8, withoutByteOrderMark } from '../read/utf8.ts';
import { type Cut, createJsonCutter } from './json-cutter.ts';
import { ENVELOPE_CHARACTERS_MAX, holdsList } from './list-envelope.ts';

/** Enough to see what the records stand in; a character has four bytes at most. */
const PEEK_BYTES = 4 * ENVELOPE_CHARACTERS_MAX;

/**
 * The texts with their line, or their number where they are not in lines. Throws `unreadable_input`
 * after the last whole record of an array, a list or an object that is never closed.
 */
export async function* readJsonTexts(
  source: ByteSource,
  { lineBytesMax }: FormatLimits,
): AsyncGenerator<Line> {
  const { start, all } = await peek(source.chunks(), PEEK_BYTES);
  if (isInLines(start.toString())) {
    yield* splitLines(all, lineBytesMax);
    return;
  }
  const cutter = createJsonCutter(lineBytesMax);
  for await (const chunk of all) {
    for (const cut of cutter.push(chunk)) yield toText(cut);
  }
  const brokenOffAt = cutter.brokenOffAt();
  if (brokenOffAt === undefined) return;
  throw new VerbatimError('unreadable_input', `${source.path} breaks off ${brokenOffAt}`);
}

/**
 * Texts of records in the head of a file: whole ones, and the whole fields of the last one, which
 * may be longer than the head.
 */
export function jsonTextsOf({ text, lines }: Head): string[] {
  if (isInLines(text)) {
    const last = text.slice(text.lastIndexOf('\n') + 1);
    return [...lines, ...wholeFields(last)];
  }
  const cutter = createJsonCutter(text.length * 4);
  const whole = cutter.push(Buffer.from(text)).map(toText);
  const texts = whole.flatMap((cut) => ('text' in cut ? [cut.text] : []));
  return [...texts, ...wholeFields(cutter.unfinished().toString())];
}

/** One record a line, unless the file starts with an array, a list, or an object's first line. */
function isInLines(start: string): boolean {
  const text = withoutByteOrderMark(start).trimStart();
  if (text.startsWith('[')) return false;
  const [first = ''] = text.split('\n', 1);
  if (/^\{(?:.*[,{[])?\s*$/.test(first) && text !== first) return false;
  return !text.startsWith('{') || !holdsList(first.slice(0, ENVELOPE_CHARACTERS_MAX));
}

function toText(cut: Cut): Line {
  if ('problem' in cut) return cut;
  const { number } = cut;
  const text = decodeUtf8(cut.content);
  if (text !== undefined) return { number, text };
  return { number, problem: `the record ${NOT_UTF8}`, reason: 'malformed' };
}

/** An object that breaks off, closed behind the last of its fields that is whole. */
function wholeFields(text: string): string[] {
  let depth = 0;
  let end = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '\\' && isInString) at++;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    else if (character === ',' && depth === 1) end = at;
  }
  return end === 0 ? [] : [`${text.slice(0, end)}}`];
}
