import { describe, expect, it } from 'vitest';
import { entryLabel } from '../../../src/accounts/credit-moves.ts';
import { describeErrors } from '../../../src/dashboard/page/filter-fields.ts';
import { readLedgerFilter } from '../../../src/dashboard/page/ledger-filter.ts';

describe('a ledger entry', () => {
  it.each([
    ['topup' as const, 1_000, 'cs_1', 'Purchase'],
    ['topup' as const, 1_000, null, 'Gift'],
    ['adjust' as const, -1_000, 'cs_1:1', 'Reversal'],
    ['adjust' as const, -1_000, 'cs_1:1:dispute', 'Dispute'],
    ['adjust' as const, 1_000, 'cs_1:2:dispute', 'Restored'],
    ['adjust' as const, -1_000, 'deleted:1', 'Given up'],
    ['adjust' as const, -1_000, 'gift:7', 'Gift taken back'],
    ['settle' as const, 0, null, 'Call charged'],
    ['refund' as const, 1, null, 'Call refund'],
  ])('%s of %d credits for %s is labeled %s', (kind, credits, reference, label) => {
    expect(entryLabel({ kind, credits, reference })).toBe(label);
  });
});

describe('a ledger filter', () => {
  const OWN = ['0123456789', 'abcdef0123'].map((prefix) => ({ id: 1, prefix, name: prefix }));
  const read = (query: string) => readLedgerFilter(new URLSearchParams(query), OWN);

  it('includes whole days, also the last one', () => {
    const { filter, fields, errors } = read(
      'from=2026-03-01&to=2026-03-02&kind=searches&key=0123456789&before=17',
    );
    expect(filter).toEqual({
      from: Date.UTC(2026, 2, 1),
      until: Date.UTC(2026, 2, 3),
      before: 17,
      kinds: ['hold', 'settle', 'release'],
      keyPrefix: '0123456789',
    });
    expect(Object.keys(fields).sort()).toEqual(['before', 'from', 'key', 'kind', 'to']);
    expect(errors).toEqual({});
  });

  it('can be a single day or empty', () => {
    expect(read('from=2024-02-29&to=2024-02-29').errors).toEqual({});
    expect(read('kind=&key=&from=&to=&before=')).toEqual({ filter: {}, fields: {}, errors: {} });
  });

  const wrong: [query: string, field: string][] = [
    ...['2026-02-30', '2025-02-29', '2026-13-01', '2026-00-10', 'yesterday', '2026-1-1'].map(
      (day): [string, string] => [`from=${day}`, 'from'],
    ),
    ...[' 2026-01-01', '2026-01-01T00:00', '1e9', '٢٠٢٦-٠١-٠١', '-2026-01-01'].map(
      (day): [string, string] => [`to=${day}`, 'to'],
    ),
    ['from=2026-03-02&to=2026-03-01', 'to'],
    ...['__proto__', 'constructor', 'toString', 'x', 'hold', 'Searches'].map(
      (kind): [string, string] => [`kind=${kind}`, 'kind'],
    ),
    ...['9876543210', '0123', "' OR 1 = 1 --", 'ABCDEF0123'].map((key): [string, string] => [
      `key=${key}`,
      'key',
    ]),
    ...['0', '-1', '1.5', 'x', '1e3', '9999999999999999'].map((before): [string, string] => [
      `before=${before}`,
      'before',
    ]),
    ['from=2026-03-01&from=2026-03-02', 'from'],
  ];
  it.each(wrong)('(%s) has an error only in the field %s', (query, field) => {
    const result = read(`kind=payments&${query}`.replace('kind=payments&kind', 'kind'));
    expect(Object.keys(result.errors)).toEqual([field]);
    expect(describeErrors(result.errors)).toContain(`“${field}”`);
    expect(result.fields).toHaveProperty(field, new URLSearchParams(query).get(field));
  });
});
