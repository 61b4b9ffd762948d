import { expect, it } from 'vitest';
import { hashRecoveryCode, mintRecoveryCodes } from '../../src/accounts/recovery-codes.ts';

it('ten codes differ, in groups that people can copy by hand', () => {
  const codes = mintRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes)
    expect(code).toMatch(/^[a-hj-km-np-z2-9]{4}(-[a-hj-km-np-z2-9]{4}){2}$/);
});

it('a code has one hash, however it is typed', () => {
  const [code = '', other = ''] = mintRecoveryCodes();
  const typed = [code, code.toUpperCase(), code.replaceAll('-', ''), ` ${code} `];
  const hashes = typed.map((text) => hashRecoveryCode(text)?.toString('hex'));
  expect(new Set(hashes).size).toBe(1);
  expect(hashRecoveryCode(other)?.toString('hex')).not.toBe(hashes[0]);
});

it.each(['', '123456', 'abcd-efgh', 'abcd-efgh-jkm1', `abcd-efgh-jkmn-${'p'.repeat(9)}`])(
  '%j is no code',
  (text) => {
    expect(hashRecoveryCode(text)).toBeUndefined();
  },
);
