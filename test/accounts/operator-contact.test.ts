import { describe, expect, it } from 'vitest';
import { readContact } from '../../src/accounts/operator-contact.ts';

describe('the contact of the operator', () => {
  it.each([
    ['help@example.org', 'mailto:help@example.org', 'help@example.org'],
    ['https://example.org/help/', 'https://example.org/help/', 'example.org/help'],
    ['http://example.org', 'http://example.org/', 'example.org'],
    ['q?subject=x@example.org', 'mailto:q%3Fsubject%3Dx@example.org', 'q?subject=x@example.org'],
  ])('%s is a link', (operatorContact, href, text) => {
    expect(readContact({ operatorContact })).toEqual({ href, text });
  });

  it('is optional', () => {
    expect(readContact({ operatorContact: '' })).toBeUndefined();
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'call me', 'ftp://example.org', '@'])(
    '%j is refused by name',
    (operatorContact) => {
      expect(() => readContact({ operatorContact })).toThrow(/VERBATIM_OPERATOR_CONTACT must be/);
    },
  );
});
