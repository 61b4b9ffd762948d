/** The fields of the page Try it, and the request that they make. Pure. */
import { bibliographicExtras } from '../../search/papers/cited-paper.ts';
import type { ResultExtra } from '../../types.ts';

/** The fields that limit a search to some papers, as in `filter` of the API. */
const filterFields = [
  ...(['year_from', 'year_to', 'venue', 'author', 'doi_prefix', 'source', 'type'] as const),
  ...(['open_access', 'has_abstract', 'ids'] as const),
] as const;

const tryFields = ['query', 'limit', 'key', ...filterFields] as const;

type TryField = (typeof tryFields)[number];

/** The input, valid or not, without empty fields. */
export type Entered = Readonly<Partial<Record<TryField, string>>>;

/** What the page adds to each result. */
const EXTRAS: readonly ResultExtra[] = ['url', ...bibliographicExtras];

/** Reads the fields of a form. White space around a value means nothing, except in the question. */
export function readEntered(form: URLSearchParams): Entered {
  const entered: Partial<Record<TryField, string>> = {};
  for (const name of tryFields) {
    const text = form.get(name) ?? '';
    const value = name === 'query' ? text : text.trim();
    if (value !== '') entered[name] = value;
  }
  return entered;
}

/** Returns the fields whose request has this body; undefined if it is none, or was cut. */
export function enteredOf(body: string, key: string): Entered | undefined {
  let parsed: { filter?: { year?: number | { from?: number; to?: number } } };
  try {
    parsed = JSON.parse(body) as typeof parsed;
  } catch {
    return undefined;
  }
  const { year, ...filter } = parsed.filter ?? {};
  const { from, to } = typeof year === 'number' ? { from: year, to: year } : (year ?? {});
  const fields = { ...parsed, ...filter, year_from: from, year_to: to, key };
  const texts = Object.entries(fields).filter(
    ([name, value]) => (tryFields as readonly string[]).includes(name) && value !== undefined,
  );
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value)])) as Entered;
}

/** Returns the body of the request. It is validated like that of any program. */
export function requestOf(entered: Entered): Record<string, unknown> {
  const filter = filterOf(entered);
  return {
    query: entered.query ?? '',
    limit: Number(entered.limit ?? ''),
    fields: 'abstract',
    include: EXTRAS.join(','),
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
  };
}

/** The field of the page for each name in the API's messages. */
const fieldsByName: ReadonlyMap<string, TryField> = new Map<string, TryField>([
  ['limit', 'limit'],
  ['filter.year', 'year_from'],
  ['filter.year.from', 'year_from'],
  ['filter.year.to', 'year_to'],
  ...filterFields
    .filter((field) => !field.startsWith('year_'))
    .map((field) => [`filter.${field}`, field] as const),
]);

/** What is wrong with which field. */
export interface FieldError {
  field: TryField;
  /** The message without the field's name. */
  message: string;
}

/** Finds the field that a message of the API names: "filter.year.from: expected an integer ...". */
export function fieldErrorOf(message: string): FieldError | undefined {
  const [, name = '', detail = ''] = message.match(/^([\w.]+)(?:\[\d+\])?: (.+)$/s) ?? [];
  const field = fieldsByName.get(name);
  return field === undefined ? undefined : { field, message: detail };
}

export function countFilters(entered: Entered): number {
  return Object.keys(filterOf(entered)).length;
}

function filterOf(entered: Entered): Record<string, unknown> {
  const { year_from: from, year_to: to, venue, author, source, type, ids } = entered;
  const { open_access: openAccess, has_abstract: hasAbstract } = entered;
  const filter: Record<string, unknown> = {};
  if (from !== undefined || to !== undefined) {
    filter['year'] = {
      ...(from === undefined ? {} : { from: numberOr(from) }),
      ...(to === undefined ? {} : { to: numberOr(to) }),
    };
  }
  Object.assign(filter, venue && { venue }, author && { author }, source && { source });
  const { doi_prefix: prefix } = entered;
  Object.assign(filter, prefix && { doi_prefix: prefix }, type && { type });
  if (openAccess !== undefined) filter['open_access'] = booleanOr(openAccess);
  if (hasAbstract !== undefined) filter['has_abstract'] = booleanOr(hasAbstract);
  if (ids !== undefined) filter['ids'] = ids.split(/\s+/);
  return filter;
}

/** Leaves any other text as it is, so that the validation names it. */
function numberOr(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

function booleanOr(text: string): boolean | string {
  return text === 'true' || text === 'false' ? text === 'true' : text;
}
