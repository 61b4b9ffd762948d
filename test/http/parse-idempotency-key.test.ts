/** The forms of an Idempotency-Key, without a server. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseIdempotencyKey } from '../../src/http/parse-idempotency-key.ts';

const parse = (header: string): string => parseIdempotencyKey(header, 20);

describe('parseIdempotencyKey', () => {
  it.each([
    ['8e03978e-40d5', '8e03978e-40d5'],
    ['"8e03978e-40d5"', '8e03978e-40d5'],
    ['  spaces-around ', 'spaces-around'],
    ['"with, a; b"', 'with, a; b'],
    [String.raw`"a\"b\\c"`, String.raw`a"b\c`],
    ['YWJj+/==', 'YWJj+/=='],
    ['a'.repeat(20), 'a'.repeat(20)],
  ])('reads %s as %s', (header, key) => {
    expect(parse(header)).toBe(key);
  });

  it.each([
    ...['""', '"', '"open', 'two words', 'a,b', '"a", "b"', '"a";p=1', 'a;p=1', 'é', 'a"b'],
    ...[String.raw`a\b`, String.raw`"a\b"`, String.raw`"a\"`, 'tab\tin', ' '],
  ])('refuses %s', (header) => {
    expect(() => parse(header)).toThrow('Idempotency-Key: expected visible ASCII');
  });

  it.each(['a'.repeat(21), `"${'a'.repeat(21)}"`])('refuses %s, which is too long', (header) => {
    expect(() => parse(header)).toThrow('Idempotency-Key: expected at most 20 characters, got 21');
  });

  it('reads what RFC 9651 makes of any printable string', () => {
    const printable = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-ascii' });
    fc.assert(
      fc.property(printable, (key) => {
        expect(parse(`"${key.replaceAll(/["\\]/g, '\\$&')}"`)).toBe(key);
      }),
    );
  });
});
