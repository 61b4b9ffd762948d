import { describe, expect, it } from 'vitest';
import { parseCredits } from '../../../src/accounts/amounts/credits.ts';

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
