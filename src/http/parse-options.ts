/** Validates the fields of a search request that opt in to more than the first contract. Pure. */
import { resultExtras } from '../search/result-extras.ts';
import type { ResultExtra, SearchOptions } from '../types.ts';
import { badRequest, typeName } from './field-errors.ts';
import { parseFilter } from './parse-filter.ts';

/** Ids that a request may exclude, and the length of each. */
const EXCLUDED_IDS_MAX = 200;
const ID_CHARACTERS_MAX = 2000;
const SENTENCES_MAX = 5;
/** An answer without results has a dozen tokens. */
const TOKENS_MIN = 50;

/** The names of these fields. */
export const searchOptionNames = [
  'include',
  'sentences',
  'min_score',
  'min_answer',
  'exclude',
  'sort',
  'max_tokens',
  'filter',
] as const;

/** Parses the fields. Throws a 400 that names the field and what was expected. */
export function parseSearchOptions(fields: Record<string, unknown>): SearchOptions {
  const options: SearchOptions = {};
  const { min_score: minScore, min_answer: minAnswer, max_tokens: tokensMax } = fields;
  if (minScore !== undefined) options.minScore = parseShare('min_score', minScore);
  if (minAnswer !== undefined) options.minAnswer = parseShare('min_answer', minAnswer);
  if (fields['exclude'] !== undefined) options.exclude = parseExclude(fields['exclude']);
  if (fields['sort'] !== undefined && parseSort(fields['sort']) === 'year') options.sort = 'year';
  if (fields['sentences'] !== undefined) {
    options.sentences = parseInteger('sentences', fields['sentences'], 1, SENTENCES_MAX);
  }
  if (tokensMax !== undefined) {
    options.tokensMax = parseInteger('max_tokens', tokensMax, TOKENS_MIN, Number.MAX_SAFE_INTEGER);
  }
  if (fields['include'] !== undefined) options.include = parseInclude(fields['include']);
  const filter = fields['filter'] === undefined ? undefined : parseFilter(fields['filter']);
  if (filter !== undefined) options.filter = filter;
  return options;
}

function parseShare(name: string, value: unknown): number {
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
    throw badRequest(`${name}: expected a number from 0 to 1, got ${typeName(value)}`);
  }
  return value;
}

function parseExclude(value: unknown): string[] {
  if (!Array.isArray(value)) {
    throw badRequest(`exclude: expected an array of ids, got ${typeName(value)}`);
  }
  if (value.length > EXCLUDED_IDS_MAX) {
    throw badRequest(`exclude: expected at most ${EXCLUDED_IDS_MAX} ids, got ${value.length}`);
  }
  return value.map((id: unknown, at) => {
    if (typeof id !== 'string') {
      throw badRequest(`exclude[${at}]: expected an id as a string, got ${typeName(id)}`);
    }
    if (id.length > ID_CHARACTERS_MAX) {
      throw badRequest(`exclude[${at}]: expected at most ${ID_CHARACTERS_MAX} characters`);
    }
    return id.toWellFormed();
  });
}

function parseSort(value: unknown): 'relevance' | 'year' {
  if (value === 'relevance' || value === 'year') return value;
  const got = typeof value === 'string' ? `"${value.slice(0, 64)}"` : typeName(value);
  throw badRequest(`sort: expected "relevance" or "year", got ${got}`);
}

function parseInteger(name: string, value: unknown, least: number, most: number): number {
  const isValid = Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
  if (isValid) return value as number;
  const range =
    most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw badRequest(`${name}: expected an integer ${range}, got ${typeName(value)}`);
}

function parseInclude(value: unknown): ResultExtra[] {
  if (typeof value !== 'string') {
    throw badRequest(`include: expected a string of comma-separated names, got ${typeName(value)}`);
  }
  const names = value.split(',').map((name) => name.trim());
  const unknown = names.find((name) => name !== '' && !isExtra(name));
  if (unknown !== undefined) {
    const known = resultExtras.join(', ');
    throw badRequest(`include: unknown name "${unknown.slice(0, 64)}", expected ${known}`);
  }
  return [...new Set(names.filter(isExtra))];
}

function isExtra(name: string): name is ResultExtra {
  return (resultExtras as readonly string[]).includes(name);
}
