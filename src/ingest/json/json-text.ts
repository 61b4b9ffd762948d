/**
 * Splits a JSON file into the texts of its records: one per line, in one array, in the list of an API
 * response, or as objects one after the other over many lines.
 */
import { VerbatimError } from '../../errors.ts';
import { type Line, splitLines } from '../read/lines.ts';
import type { FormatLimits, Head } from '../read/packed-format.ts';
import { peek } from '../read/peek.ts';
import { type ByteSource, HEAD_BYTES } from '../read/source.ts';
import { decodeUtf8, NOT_UTF8 } from '../read/utf8.ts';
import { type Cut, createJsonCutter } from './json-cutter.ts';
import { isInLines } from './record-lines.ts';

/**
 * The texts with their line, or their number in files without lines. Throws `unreadable_input` after
 * the last complete record if an array, list, or object is never closed.
 */
export async function* readJsonTexts(
  source: ByteSource,
  { lineBytesMax }: FormatLimits,
): AsyncGenerator<Line> {
  // As much as its format was recognized by, so that both see the same arrangement.
  const { start, all } = await peek(source.chunks(), HEAD_BYTES);
  if (isInLines(start.subarray(0, HEAD_BYTES).toString())) {
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
 * The records in the head of a file. Of the last one, which may be longer than the head, only the
 * complete fields.
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

function toText(cut: Cut): Line {
  if ('problem' in cut) return cut;
  const { number } = cut;
  const text = decodeUtf8(cut.content);
  if (text !== undefined) return { number, text };
  return { number, problem: `the record ${NOT_UTF8}`, reason: 'malformed' };
}

/** A truncated object, closed after its last complete field. */
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
