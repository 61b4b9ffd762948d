/** Reads the fields of a filter from an address. Pure. */
/** What a field adds to the filter, or a sentence that says what is wrong with it. */
export type ReadField<Filter> = { filter: Filter } | { error: string };

/** Reads the text of each field. An empty field counts as absent. */
export type FieldReaders<Name extends string, Filter> = Readonly<
  Record<Name, (text: string) => ReadField<Filter>>
>;

export interface FilterFields<Name extends string, Filter> {
  /** The valid part of the filter. */
  filter: Filter;
  /** The input, valid or not, to fill the form and build links; without empty fields. */
  fields: Partial<Record<Name, string>>;
  /** The error of each invalid field, as a sentence. */
  errors: Partial<Record<Name, string>>;
}

/** Days in UTC: `from` is the first moment of the first day, `until` the end of the last one. */
export interface DayRange {
  from?: number | undefined;
  until?: number | undefined;
}

export const DAY_MS = 86_400_000;

/** What was entered into each field, or what is wrong with it. */
export type Texts<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/** Reads all fields of a query. */
export function readFilterFields<Name extends string, Filter extends object>(
  query: URLSearchParams,
  readers: FieldReaders<Name, Filter>,
): FilterFields<Name, Filter> {
  const fields: Partial<Record<Name, string>> = {};
  const errors: Partial<Record<Name, string>> = {};
  const filter = {} as Filter;
  for (const name of Object.keys(readers) as Name[]) {
    const [text = '', ...others] = query.getAll(name);
    if (others.length > 0) errors[name] = 'Enter this field only once.';
    if (text === '') continue;
    fields[name] = text;
    const read = readers[name](text);
    if ('error' in read) errors[name] ??= read.error;
    else Object.assign(filter, read.filter);
  }
  return { filter, fields, errors };
}

/** Readers of the fields `from` and `to`, which name days. */
export const dayReaders = {
  from(text: string): ReadField<DayRange> {
    const day = parseDay(text);
    return day === undefined ? invalidDay(text) : { filter: { from: day } };
  },
  to(text: string): ReadField<DayRange> {
    const day = parseDay(text);
    // Include the last day.
    return day === undefined ? invalidDay(text) : { filter: { until: day + DAY_MS } };
  },
};

/** The reader of the field `before`, which names the row before a page. */
export const pageReader = {
  before: (text: string): ReadField<{ before?: number }> =>
    /^[1-9]\d{0,14}$/.test(text)
      ? { filter: { before: Number(text) } }
      : { error: '“before” must be the number of a row.' },
};

/** A key of a customer, as filters name it. */
export interface NamedKey {
  id: number;
  prefix: string;
  name: string;
}

/** Returns the reader of one of the words that have a label. */
export function wordReader<Word extends string, Filter>(
  labels: Readonly<Record<Word, unknown>>,
  toFilter: (word: Word) => Filter,
): (text: string) => ReadField<Filter> {
  return (text) =>
    Object.hasOwn(labels, text)
      ? { filter: toFilter(text as Word) }
      : { error: `Choose one of: ${Object.keys(labels).join(', ')}.` };
}

/** Returns the reader of the hash prefix of one of the keys. */
export function keyReader<Filter>(
  keys: readonly NamedKey[],
  toFilter: (key: NamedKey) => Filter,
): (text: string) => ReadField<Filter> {
  return (text) => {
    const key = keys.find(({ prefix }) => prefix === text);
    return key === undefined
      ? { error: 'You have no key with this hash prefix.' }
      : { filter: toFilter(key) };
  };
}

/** Adds an error to a range of days that ends before it begins. */
export function checkDayOrder(read: FilterFields<'from' | 'to', DayRange>): void {
  const { from, until } = read.filter;
  if (from === undefined || until === undefined || from < until) return;
  const { from: first, to: last } = read.fields;
  read.errors.to ??= `These days are reversed: ${last} is before ${first}. Enter ${first} or a later day.`;
}

/** Describes all errors in one line; undefined if there are none. */
export function describeErrors(errors: Readonly<Record<string, string>>): string | undefined {
  const all = Object.entries(errors);
  if (all.length === 0) return undefined;
  return all.map(([name, error]) => `“${name}”: ${error}`).join(' ');
}

/** Returns an address with the fields as its query. */
export function linkTo(path: string, fields: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(fields).toString();
  return query === '' ? path : `${path}?${query}`;
}

function invalidDay(text: string): { error: string } {
  return { error: `“${text}” is not a day. Enter a day such as 2026-03-14.` };
}

/** Returns the start of a day in UTC; undefined for an invalid date. */
export function parseDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
  return isReal ? time : undefined;
}
