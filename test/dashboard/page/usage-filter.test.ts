import { describe, expect, it } from 'vitest';
import { readUsageFilter } from '../../../src/dashboard/page/usage-filter.ts';

const NOW = Date.UTC(2026, 2, 14, 9, 30);
const KEYS = [{ id: 7, prefix: '0123456789', name: 'Notebook' }];
const read = (query: string) =>
  readUsageFilter(new URLSearchParams(query), KEYS, { now: NOW, daysMax: 400 });

describe('the range of the page Usage', () => {
  it.each([
    ['', '2026-02-13', '2026-03-14'],
    ['days=90', '2025-12-15', '2026-03-14'],
    ['days=365', '2025-03-15', '2026-03-14'],
    ['from=2026-03-01', '2026-03-01', '2026-03-14'],
    ['to=2026-03-01', '2026-01-31', '2026-03-01'],
    ['from=2026-03-01&to=2026-03-01', '2026-03-01', '2026-03-01'],
    ['from=2025-02-08', '2025-02-08', '2026-03-14'],
    ['key=0123456789&from=&to=&days=', '2026-02-13', '2026-03-14'],
  ])('of (%s) is %s to %s', (query, firstDay, lastDay) => {
    expect(read(query)).toMatchObject({ firstDay, lastDay, errors: {} });
  });

  it.each([
    ['days=31', 'days', '“days” must be 30, 90, or 365.'],
    ['from=2026-03-02&to=2026-03-01', 'to', 'These days are reversed'],
    ['from=2026-03-15', 'from', '2026-03-15 is after 2026-03-14'],
    ['from=2025-02-07', 'from', '2025-02-07 to 2026-03-14 are 401 days. Choose at most 400.'],
    ['from=0001-01-01', 'from', 'Choose at most 400.'],
    ['to=2026-02-30', 'to', '“2026-02-30” is not a day'],
    ['key=9876543210', 'key', 'You have no key'],
  ])('(%s) is wrong only in its field %s', (query, field, said) => {
    const { errors } = read(query);
    expect(Object.keys(errors)).toEqual([field]);
    expect(errors).toHaveProperty(field, expect.stringContaining(said));
  });
});
