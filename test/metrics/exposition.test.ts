import { describe, expect, it } from 'vitest';
import { parseExposition } from '../../src/metrics/exposition.ts';

const reading = parseExposition(
  [
    '# HELP a_total What "a" counts.',
    '# TYPE a_total counter',
    'a_total{route="/x",status="200"} 3',
    'a_total{route="/x",status="500"} 4',
    'a_total{route="/y",status="200"} 5',
    'b 1.5e-7',
    'c{text="a \\"quoted\\" text, with } and \\\\ and a\\nbreak"} 1',
    'h_bucket{le="+Inf"} 7',
    'infinite +Inf',
    'least -Inf',
    '',
    'not a sample at all',
  ].join('\n'),
);

describe('the text format of Prometheus', () => {
  it.each<[string, Record<string, string>, number | undefined]>([
    ['a_total', {}, 12],
    ['a_total', { route: '/x' }, 7],
    ['a_total', { route: '/x', status: '500' }, 4],
    ['a_total', { route: '/z' }, undefined],
    ['b', {}, 1.5e-7],
    ['h_bucket', { le: '+Inf' }, 7],
    ['infinite', {}, Infinity],
    ['least', {}, -Infinity],
    ['a', {}, undefined],
    ['not', {}, undefined],
  ])('has the sum of %s with %j', (name, labels, expected) => {
    expect(reading.sum(name, labels)).toBe(expected);
  });

  it('may have anything in a label', () => {
    expect(reading.all('c')).toEqual([
      { name: 'c', value: 1, labels: { text: 'a "quoted" text, with } and \\ and a\nbreak' } },
    ]);
  });
});
