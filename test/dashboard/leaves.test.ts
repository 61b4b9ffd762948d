/** The small pure parts of the pages. */
import { describe, expect, it, vi } from 'vitest';
import { parseCredits } from '../../src/credits.ts';
import { highlight, paperAddress } from '../../src/dashboard/components/cited-sentence.tsx';
import {
  formatChange,
  formatCounted,
  formatTimestamp,
} from '../../src/dashboard/components/format.ts';
import { axisValues, describeDays } from '../../src/dashboard/components/usage-chart.tsx';
import { describeWrong, entryLabel, readFilter } from '../../src/dashboard/page/ledger-filter.ts';
import { findPage } from '../../src/dashboard/page/page.ts';
import { ownPath } from '../../src/dashboard/page/redirects.ts';
import { createSubmitOnce } from '../../src/dashboard/page/submit-once.ts';
import { pages } from '../../src/dashboard/routes.ts';

describe('the values of an axis', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [4, [0, 1, 2, 3, 4]],
    [5, [0, 2, 4, 6]],
    [88, [0, 50, 100]],
    [1_000, [0, 500, 1_000]],
    [1_234_567, [0, 500_000, 1_000_000, 1_500_000]],
  ])('up to %d are %j', (largest, expected) => {
    expect(axisValues(largest, 4)).toEqual(expected);
  });
});

describe('the address of a paper', () => {
  it.each([
    ['10.1000/a.b(c)', 'https://doi.org/10.1000/a.b(c)'],
    ['10.1000/a?b#c%2F<d>', 'https://doi.org/10.1000/a%3Fb%23c%252F%3Cd%3E'],
    ['10.1000/\ud800', 'https://doi.org/10.1000/%EF%BF%BD'],
    ['arXiv:2401.00001', 'https://arxiv.org/abs/2401.00001'],
    ['arXiv:hep-th/9901001', 'https://arxiv.org/abs/hep-th/9901001'],
    ['https://a.example/b?c=d', 'https://a.example/b?c=d'],
  ])('%s is %s', (id, address) => {
    expect(paperAddress(id)).toBe(address);
  });

  it.each([
    ...['sample:psychology-1', 'CorpusId:7', 'javascript:alert(1)', 'data:text/html,x'],
    ...['arXiv:../evil', 'arXiv://evil.example', ' https://a.example', 'https://', ''],
  ])('%j has none', (id) => {
    expect(paperAddress(id)).toBeUndefined();
  });
});

describe('an entry of the ledger', () => {
  it.each([
    ['topup' as const, 1_000, 'Top-up'],
    ['adjust' as const, -1_000, 'Payment reversed'],
    ['adjust' as const, 1_000, 'Payment restored'],
  ])('%s of %d is called %s', (kind, credits, label) => {
    expect(entryLabel({ kind, credits })).toBe(label);
  });
});

describe('a form that counts once', () => {
  const options = { formsMax: 2, formsPerOwnerMax: 2, lifetimeMs: 60_000 };
  const counter = () => {
    let runs = 0;
    return async () => ++runs;
  };

  it('gives all sendings of one copy the result of the first, even while that is under way', async () => {
    const once = createSubmitOnce<number>(options);
    const work = counter();
    const all = [once.run(1, 'a', work), once.run(1, 'a', work)];
    expect(await Promise.all(all)).toEqual([1, 1]);
    expect(await once.run(1, 'a', work)).toBe(1);
    expect(await once.run(1, 'b', work)).toBe(2);
    expect(await once.run(2, 'a', work)).toBe(3);
  });

  it('does work that failed anew', async () => {
    const once = createSubmitOnce<number>(options);
    await expect(once.run(1, 'a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await once.run(1, 'a', counter())).toBe(1);
  });

  it('forgets the oldest copy, and all after their time', async () => {
    vi.useFakeTimers();
    const once = createSubmitOnce<number>({ ...options, lifetimeMs: 1_000 });
    const work = counter();
    for (const copy of ['a', 'b', 'c', 'b', 'a']) await once.run(1, copy, work);
    expect(await once.run(1, 'c', work)).toBe(3);
    vi.advanceTimersByTime(1_000);
    expect(await once.run(1, 'c', work)).toBe(5);
    vi.useRealTimers();
  });
});

describe('an own path', () => {
  it.each(['/', '/dashboard', '/dashboard/ledger?kind=searches&from=2026-01-01', '/docs'])(
    '%s is kept',
    (path) => expect(ownPath(path, '/other')).toBe(path),
  );
  it.each(['//x', '/\\x', 'x', '', 'https://x', '/a b', '/a\nb', '/a#b', '/"', null, undefined])(
    '%j is not',
    (path) => expect(ownPath(path, '/other')).toBe('/other'),
  );
});

describe('a filter of the ledger', () => {
  const OWN = ['0123456789', 'abcdef0123'];
  const read = (query: string) => readFilter(new URLSearchParams(query), OWN);

  it('has whole days, the last one too', () => {
    const { filter, fields, wrong } = read(
      'from=2026-03-01&until=2026-03-02&kind=searches&key=0123456789&before=17',
    );
    expect(filter).toEqual({
      from: Date.UTC(2026, 2, 1),
      until: Date.UTC(2026, 2, 3),
      before: 17,
      kinds: ['hold', 'settle', 'release'],
      keyPrefix: '0123456789',
    });
    expect(Object.keys(fields).sort()).toEqual(['before', 'from', 'key', 'kind', 'until']);
    expect(wrong).toEqual({});
  });

  it('may be one day, and may be empty', () => {
    expect(read('from=2024-02-29&until=2024-02-29').wrong).toEqual({});
    expect(read('kind=&key=&from=&until=&before=')).toEqual({ filter: {}, fields: {}, wrong: {} });
  });

  const wrong: [query: string, field: string][] = [
    ...['2026-02-30', '2025-02-29', '2026-13-01', '2026-00-10', 'yesterday', '2026-1-1'].map(
      (day): [string, string] => [`from=${day}`, 'from'],
    ),
    ...[' 2026-01-01', '2026-01-01T00:00', '1e9', '٢٠٢٦-٠١-٠١', '-2026-01-01'].map(
      (day): [string, string] => [`until=${day}`, 'until'],
    ),
    ['from=2026-03-02&until=2026-03-01', 'until'],
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
  it.each(wrong)('%s is wrong in %s, and nowhere else', (query, field) => {
    const given = read(`kind=payments&${query}`.replace('kind=payments&kind', 'kind'));
    expect(Object.keys(given.wrong)).toEqual([field]);
    expect(describeWrong(given)).toContain(`“${field}”`);
    expect(given.fields).toHaveProperty(field, new URLSearchParams(query).get(field));
  });
});

describe('a quoted sentence', () => {
  it('is found in its abstract', () => {
    expect(highlight('One. Two. Three.', 'Two.')).toEqual({
      before: 'One. ',
      quote: 'Two.',
      after: ' Three.',
    });
  });
  it.each([
    ['', 'A title'],
    ['One.', 'Two.'],
    ['One.', ''],
  ])('in %j is no %j', (abstract, quote) => {
    expect(highlight(abstract, quote)).toBeUndefined();
  });
});

describe('credits that were typed', () => {
  it.each([
    ['1', 1],
    ['1000000000', 1_000_000_000],
  ])('%s is %d', (text, value) => expect(parseCredits(text)).toBe(value));
  it.each(['0', '-1', '1.5', '1e3', '', ' 1', '1,000', '1000000001', '99999999999999'])(
    '%j is none',
    (text) => expect(parseCredits(text)).toBeUndefined(),
  );
});

describe('words for numbers', () => {
  it('have a sign where they change a balance, and a noun that fits', () => {
    expect([formatChange(1_500), formatChange(-1), formatChange(0)]).toEqual([
      ...['+1,500', '\u22121', '0'],
    ]);
    expect([formatCounted(1, 'credit'), formatCounted(2, 'search', 'searches')]).toEqual([
      ...['1 credit', '2 searches'],
    ]);
    expect(formatTimestamp(Date.UTC(2026, 2, 14, 9, 30))).toBe('14 Mar 2026, 09:30 UTC');
  });

  it('describe the days of a chart', () => {
    const days = [
      { day: '2026-03-13', requests: 1 },
      { day: '2026-03-14', requests: 1_200 },
    ];
    expect(describeDays(days)).toBe('1,201 searches in all; most on 14 Mar 2026, 1,200.');
    expect(describeDays([{ day: '2026-03-14', requests: 0 }])).toBe('No searches.');
  });
});

describe('a page', () => {
  it('is found by its path, with what the path names', () => {
    expect(findPage(pages, '/dashboard/keys/0123456789/revoke')).toMatchObject({
      page: { path: '/dashboard/keys/:prefix/revoke', access: 'customer' },
      parameters: { prefix: '0123456789' },
    });
  });

  it.each([
    ...[
      '/dashboard/',
      '/dashboard/keys/',
      '/dashboard/keys//revoke',
      '/Dashboard',
      '/dashboard/try/',
    ],
    ...['/dashboard/keys/%2e%2e/revoke', '/dashboard/keys/a b/revoke', '/docs/x', ''],
    `/dashboard/try/${'x'.repeat(65)}`,
  ])('is not found by %j', (path) => {
    expect(findPage(pages, path)).toBeUndefined();
  });

  it('asks for a customer, unless it is named here', () => {
    const open = pages.filter(({ access }) => access === 'everybody').map(({ path }) => path);
    expect(open).toEqual([
      ...['/docs', '/dashboard/sign-in', '/dashboard/sign-out', '/dashboard/link'],
      ...['/dashboard/reset-password', '/dashboard/register'],
    ]);
  });
});
