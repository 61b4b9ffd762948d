import { describe, expect, it } from 'vitest';
import { formatPrice } from '../../../src/accounts/amounts/price.ts';

describe('a price', () => {
  it.each([
    [500, 'usd', '$5.00'],
    [123_456, 'eur', '€1,234.56'],
    [500, 'jpy', '¥500'],
  ])('of %i %s is %s', (amount, currency, text) => {
    expect(formatPrice(amount, currency)).toBe(text);
  });
});
