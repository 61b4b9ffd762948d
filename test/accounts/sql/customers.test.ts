/** What an address is. Who has which is in ../conformance/sign-ins.ts. */
import { describe, expect, it } from 'vitest';
import { isEmail, normalizeEmail } from '../../../src/accounts/sql/customers.ts';

/** An address of so many characters. */
const long = (length: number): string =>
  `${'a'.repeat(length - '@example.org'.length)}@example.org`;

describe('an address', () => {
  const accepted: [input: string, kept: string][] = [
    ['ada@example.org', 'ada@example.org'],
    ['Ada.Lovelace@Example.ORG', 'ada.lovelace@example.org'],
    ['  ada@example.org\n', 'ada@example.org'],
    ['ada+search@mail.example.org', 'ada+search@mail.example.org'],
    ['ada@localhost', 'ada@localhost'],
    ['ädä@exämple.org', 'ädä@exämple.org'],
    [long(254), long(254)],
  ];
  it.each(accepted)('%j is stored as %j', (input, kept) => {
    expect(normalizeEmail(input)).toBe(kept);
    expect(isEmail(kept)).toBe(true);
  });

  const refused = [
    ...['', ' ', 'ada', '@', 'ada@', '@example.org', 'ada@example@org', 'ada lovelace@example.org'],
    ...['ada@example.org bob@example.org', 'ada@exam\nple.org', long(255)],
    // A mail would go to others too.
    ...['ada@example.org,bob@example.org', 'ada;bob@example.org', 'Ada<ada@example.org>'],
  ];
  it.each(refused)('%j is rejected', (input) => {
    expect(isEmail(normalizeEmail(input))).toBe(false);
  });
});
