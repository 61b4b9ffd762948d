import { describe, expect, it } from 'vitest';
import { readRequestFilter } from '../../../src/dashboard/page/request-filter.ts';

const KEYS = [{ id: 7, prefix: '0123456789', name: 'Notebook' }];
const read = (query: string) => readRequestFilter(new URLSearchParams(query), KEYS);

describe('a filter of requests', () => {
  it('reads every field, and includes the last day', () => {
    const { filter, errors } = read(
      'status=402&path=/v1/verify&key=0123456789&from=2026-03-01&to=2026-03-02&before=17',
    );
    expect(errors).toEqual({});
    expect(filter).toEqual({
      status: 402,
      path: '/v1/verify',
      keyId: 7,
      before: 17,
      from: Date.UTC(2026, 2, 1),
      until: Date.UTC(2026, 2, 3),
    });
    expect(read('status=failed').filter).toEqual({ status: 'failed' });
  });

  it('can be empty', () => {
    const result = read('status=&path=&key=&from=&to=&before=');
    expect(result).toEqual({ filter: {}, fields: {}, errors: {} });
  });

  const wrong: [query: string, field: string, said: string][] = [
    ['status=299', 'status', 'Choose one of'],
    ['status=__proto__', 'status', 'Choose one of'],
    ['path=/v1/nothing', 'path', '/v1/search, /v1/search/batch'],
    ['key=9876543210', 'key', 'no key with this hash prefix'],
    ['to=2026-02-30', 'to', 'is not a day'],
    ['from=2026-03-02&to=2026-03-01', 'to', 'reversed'],
    ['before=-1', 'before', 'the number of a row'],
    ['path=/mcp&path=/mcp', 'path', 'only once'],
  ];
  it.each(wrong)('refuses %s', (query, field, said) => {
    const { errors } = read(query);
    expect(Object.keys(errors)).toEqual([field]);
    expect(Object.values(errors)[0]).toContain(said);
  });
});
