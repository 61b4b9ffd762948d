/** Parses JSON that others wrote, nested no deeper than it may be. Pure. */
import { messageOf } from '../../errors.ts';
import { FieldError, isObject, type JsonRecord } from './fields.ts';

/**
 * Nesting of a record. No format comes near it; a few megabytes of open brackets would take
 * hundreds of megabytes once parsed.
 */
const DEPTH_MAX = 100;

/** The object that a text is. Throws a FieldError that says what else it is. */
export function parseObject(text: string): JsonRecord {
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw new FieldError('not a JSON object');
}

/** The value of a text. Throws a FieldError where it is not JSON or nested too deep. */
export function parseJson(text: string): unknown {
  if (isDeeperThan(text, DEPTH_MAX)) throw new FieldError(`nested deeper than ${DEPTH_MAX} levels`);
  try {
    return JSON.parse(text);
  } catch (error) {
    // The engine's message quotes the text; a line of rubbish must not fill the terminal.
    throw new FieldError(`not JSON: ${messageOf(error).slice(0, 120)}`);
  }
}

/** Whether more brackets are open at a time than may be; those within strings don't count. */
function isDeeperThan(text: string, depthMax: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isInString && character === '\\') at++;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if (depth > depthMax) return true;
  }
  return false;
}
