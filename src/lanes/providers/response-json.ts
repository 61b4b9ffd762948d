/** Reads JSON of providers. A field of an unexpected type counts as absent. */
import { LaneFailure } from '../lane/lane-errors.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The response as a JSON object. Throws `bad_answer` for anything else, such as a web page. */
export function parseJsonObject(text: string): JsonObject {
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw new LaneFailure('bad_answer', 'the response is not a JSON object');
}

/** The response as a JSON array. Throws `bad_answer` for anything else. */
export function parseJsonArray(text: string): unknown[] {
  const value = parseJson(text);
  if (Array.isArray(value)) return value;
  throw new LaneFailure('bad_answer', 'the response is not a JSON array');
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function objectsOf(value: unknown): JsonObject[] {
  return arrayOf(value).filter(isObject);
}

export function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of the parser quotes the text, which must not be shown.
    throw new LaneFailure('bad_answer', 'the response is not JSON');
  }
}
