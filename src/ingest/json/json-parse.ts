/** Parses untrusted JSON with limited nesting. Pure. */
import { messageOf } from '../../errors.ts';
import { FieldError, isObject, type JsonRecord } from './fields.ts';

/**
 * Maximum nesting of a record. No format comes near it. A few megabytes of open brackets would take
 * hundreds of megabytes once parsed.
 */
const DEPTH_MAX = 100;

/** Parses a JSON object. Throws a FieldError for anything else. */
export function parseObject(text: string): JsonRecord {
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw new FieldError('not a JSON object');
}

/** Parses JSON. Throws a FieldError if the text is not JSON or is nested too deep. */
export function parseJson(text: string): unknown {
  if (isDeeperThan(text, DEPTH_MAX)) throw new FieldError(`nested deeper than ${DEPTH_MAX} levels`);
  try {
    return JSON.parse(text);
  } catch (error) {
    // The engine's message quotes the text, which must not fill the terminal.
    throw new FieldError(`not JSON: ${messageOf(error).slice(0, 120)}`);
  }
}

/** Whether brackets are nested deeper than `depthMax`. Those within strings do not count. */
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
