import { describe, expect, it } from 'vitest';
import { assertStrong } from '../../src/accounts/password-rule.ts';

describe('assertStrong', () => {
  const EMAIL = 'ada.lovelace@mail.example.org';
  const check = (password: string) => () => assertStrong(password, EMAIL);

  it.each([
    ...['blue kettle upon gravel', 'korrekt pferd batterie heftklammer', 'zT4#kw9!Lq2&'],
    ...['ein Löwe frißt Müsli', '青い薬缶が砂利の上に置いてある', 'xxxxkwbtzjmvgh'],
    `${'quiet river '.repeat(21)}q`,
  ])('accepts %j', (password) => {
    expect(check(password)).not.toThrow();
  });

  it.each([
    ['', 'a password needs at least 12 characters; this one has 0'],
    ['zT4#kw9!Lq2', 'a password needs at least 12 characters; this one has 11'],
    ['👩‍🔬👩‍🔬👩‍🔬', 'a password needs at least 12 characters; this one has 9'],
    [`${'quiet river '.repeat(21)}quiet`, 'a password may have at most 256 characters'],
  ])('rejects %j for its length', (password, message) => {
    expect(check(password)).toThrow(expect.objectContaining({ code: 'weak_password', message }));
  });

  it.each([
    ...['password1234', 'Password2026!', 'P@ssw0rd1234', 'passwordpassword', 'letmeinletmein'],
    ...['aaaaaaaaaaaa', '123456789012', '987654321098', 'abcdefghijkl', 'qwertyuiop12'],
    ...['qwertzuiop99', 'asdfghjkl123', 'abababababab', 'xyxyxyxyxyxyxyxy', '            '],
    ...['ada.lovelace@mail.example.org', 'adalovelace1815', 'Lovelace-ada-99', 'ADA LOVELACE ada'],
    ...['welcome to verbatim', 'iloveyou iloveyou', '1qaz2wsx3edc', 'summer-2026-winter'],
    'correcthorsebatterystaple',
  ])('rejects %j as easy to guess', (password) => {
    expect(check(password)).toThrow(/^this password is easy to guess/);
  });
});
