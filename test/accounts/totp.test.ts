import { describe, expect, it } from 'vitest';
import { encodeBase32 } from '../../src/accounts/base32.ts';
import { codeAt, setUpKey, setUpUri, stepAt, stepOfCode } from '../../src/accounts/totp.ts';

/** The secret of RFC 6238, appendix B. */
const secret = Buffer.from('12345678901234567890');

describe('base32', () => {
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('encodes %j as RFC 4648 does', (text, expected) => {
    expect(encodeBase32(Buffer.from(text))).toBe(expected);
  });
});

describe('a code', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('at second %i is that of RFC 6238', (second, expected) => {
    expect(codeAt(secret, stepAt(second * 1_000), 8)).toBe(expected);
    expect(codeAt(secret, stepAt(second * 1_000))).toBe(expected.slice(2));
  });

  it('counts in its step, the one before, and the one after', () => {
    const step = 1_000;
    const now = step * 30_000 + 29_999;
    const found = [-2, -1, 0, 1, 2].map((skew) =>
      stepOfCode({ secret, code: codeAt(secret, step + skew), usedStep: -1, now }),
    );
    expect(found).toEqual([undefined, 999, 1_000, 1_001, undefined]);
  });

  it('counts once, and so do those before it', () => {
    const now = 1_000 * 30_000;
    const find = (step: number, usedStep: number) =>
      stepOfCode({ secret, code: codeAt(secret, step), usedStep, now });
    expect([find(1_000, 999), find(1_000, 1_000), find(999, 1_000), find(1_001, 1_000)]).toEqual([
      ...[1_000, undefined, undefined, 1_001],
    ]);
  });

  it.each(['', '12345', '1234567', '12345a', ' 12345', '１２３４５６', '-12345'])(
    'is not %j',
    (code) => {
      expect(stepOfCode({ secret, code, usedStep: -1, now: 0 })).toBeUndefined();
    },
  );
});

describe('what an app gets', () => {
  it('is an address that names the service and the account', () => {
    const uri = new URL(setUpUri({ secret, issuer: 'Verbatim a.example', email: 'a&b@x.org' }));
    expect(uri.href).toMatch(/^otpauth:\/\/totp\/Verbatim%20a\.example:a%26b%40x\.org\?/);
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret: encodeBase32(secret),
      issuer: 'Verbatim a.example',
    });
  });

  it('is a key in groups', () => {
    expect(setUpKey(secret)).toBe('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ');
  });
});
