/** Decides from the start of a JSON file whether each of its lines is a record. Pure. */
import { withoutByteOrderMark } from '../read/utf8.ts';
import { FieldError } from './fields.ts';
import { createJsonCutter } from './json-cutter.ts';
import { parseObject } from './json-parse.ts';
import { ENVELOPE_CHARACTERS_MAX, holdsList } from './list-envelope.ts';

/**
 * Whether each line is a record. A damaged first line may look like the start of a list or of an
 * object over many lines. So what looks like one is read both ways, and is in lines if that finds as
 * many records.
 */
export function isInLines(start: string): boolean {
  const text = withoutByteOrderMark(start).trimStart();
  return looksLikeLines(text) || holdsRecordLines(text);
}

/** Not if the file starts with an array, a list, or an object that goes on in the next line. */
function looksLikeLines(text: string): boolean {
  if (text.startsWith('[')) return false;
  const [first = '', ...following] = linesOf(text);
  if (/^\{(?:.*[,{[])?\s*$/.test(first) && following.length > 0) {
    return breaksOff(first, following);
  }
  return !text.startsWith('{') || !isEnvelope(first);
}

/**
 * Whether a first line that closes nothing is a damaged record and not the start of an object over
 * many lines. Tells it also if the next record is longer than the start of the file.
 */
function breaksOff(first: string, [second = '', third = '']: readonly string[]): boolean {
  const { open, isInString } = scanBrackets(first);
  // A string ends in its line.
  if (isInString) return true;
  if (!second.trimStart().startsWith('{')) return false;
  // Within an object a name must follow; within an array, a comma between two objects.
  const isList = open.at(-1) === '[';
  return !isList || (second.trimEnd().endsWith('}') && third.trimStart().startsWith('{'));
}

function scanBrackets(text: string): { open: string[]; isInString: boolean } {
  const open: string[] = [];
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (character === '\\' && isInString) at++;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if ('{['.includes(character)) open.push(character);
    else if ('}]'.includes(character)) open.pop();
  }
  return { open, isInString };
}

/**
 * Whether lines hold at least as many records as the brackets enclose. A line counts if it is an
 * object and the next one starts another, or none follows. Within an array or an object, a comma or
 * a closing bracket comes between the two.
 */
function holdsRecordLines(text: string): boolean {
  const lines = linesOf(text);
  const inLines = lines.filter(
    (line, index) =>
      (lines[index + 1] ?? '{').trimStart().startsWith('{') && isObject(line) && !isEnvelope(line),
  );
  return inLines.length > 0 && inLines.length >= countEnclosed(text);
}

/** The number of records that are found by their brackets. */
function countEnclosed(text: string): number {
  const content = Buffer.from(text);
  const cuts = createJsonCutter(content.length).push(content);
  return cuts.filter((cut) => 'content' in cut && isObject(cut.content.toString())).length;
}

function isObject(text: string): boolean {
  // A failed parse is slow.
  if (!/^\s*\{/.test(text) || !/\}\s*$/.test(text)) return false;
  try {
    parseObject(text);
    return true;
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    return false;
  }
}

function isEnvelope(line: string): boolean {
  return holdsList(line.slice(0, ENVELOPE_CHARACTERS_MAX));
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}
