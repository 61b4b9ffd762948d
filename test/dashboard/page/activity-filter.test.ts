import { describe, expect, it } from 'vitest';
import { pageStartOf, readActivityFilter } from '../../../src/dashboard/page/activity-filter.ts';

const KEYS = [{ id: 7, prefix: '0123456789', name: 'Notebook' }];
const read = (query: string) => readActivityFilter(new URLSearchParams(query), KEYS);

describe('a filter of the activity', () => {
  it('reads every field, and includes the last day', () => {
    const { filter, errors } = read(
      'kind=verify&outcome=free&key=0123456789&from=2026-03-01&to=2026-03-02&before=17',
    );
    expect(errors).toEqual({});
    expect(filter).toEqual({
      kind: 'verify',
      outcome: 'free',
      keyId: 7,
      before: 17,
      from: Date.UTC(2026, 2, 1),
      until: Date.UTC(2026, 2, 3),
    });
    expect(pageStartOf(filter)).toEqual({ before: 17 });
  });

  it('can be empty', () => {
    const result = read('kind=&outcome=&key=&from=&to=&before=&after=');
    expect(result).toEqual({ filter: {}, fields: {}, errors: {} });
    expect(pageStartOf(result.filter)).toBeUndefined();
  });

  it('names both days of a reversed range', () => {
    const { errors } = read('from=2026-03-02&to=2026-03-01');
    expect(errors).toEqual({
      to: 'These days are reversed: 2026-03-01 is before 2026-03-02. Enter 2026-03-02 or a later day.',
    });
  });

  const wrong: [query: string, field: string, said: string][] = [
    ['kind=hold', 'kind', 'search, paper, similar, verify, topup, adjust'],
    ['kind=__proto__', 'kind', 'Choose one of'],
    ['outcome=payment', 'outcome', 'charged, free, refunded, open'],
    ['key=abcdef0123', 'key', 'You have no key'],
    ['from=2026-02-30', 'from', '“2026-02-30” is not a day'],
    ['to=yesterday', 'to', '“yesterday” is not a day'],
    ['before=-1', 'before', 'number of a line'],
    ['after=x', 'after', 'number of a line'],
    ['before=3&after=1', 'after', 'either'],
    ['kind=search&kind=verify', 'kind', 'only once'],
  ];
  it.each(wrong)('(%s) is wrong only in its field %s', (query, field, said) => {
    const result = read(query);
    expect(Object.keys(result.errors)).toEqual([field]);
    expect(result.errors).toHaveProperty(field, expect.stringContaining(said));
    expect(result.fields).toHaveProperty(field, new URLSearchParams(query).get(field));
  });
});
