import { describe, expect, it } from 'vitest';
import { isMistypedOrcid, orcidOf } from '../../src/identity/orcid.ts';

describe('orcidOf', () => {
  it.each([
    '0000-0002-1825-0097',
    ' 0000-0002-1825-0097 ',
    '0000000218250097',
    'https://orcid.org/0000-0002-1825-0097',
    'http://www.orcid.org/0000-0002-1825-0097/',
    'orcid.org/0000-0002-1825-0097',
    'ORCID: 0000-0002-1825-0097',
  ])('reads %s', (text) => {
    expect(orcidOf(text)).toBe('0000-0002-1825-0097');
  });

  it('reads X as a check digit, in either case', () => {
    expect(orcidOf('0000-0002-1694-233X')).toBe('0000-0002-1694-233X');
    expect(orcidOf('https://orcid.org/0000-0002-1694-233x')).toBe('0000-0002-1694-233X');
  });

  it.each([
    ...['', 'Ana Silva', '0000-0002-1825-009', '0000-0002-1825-00977', 'X000-0002-1825-0097'],
    ...['https://example.org/0000-0002-1825-0097', '0000-0002-1825-0097 Ana Silva'],
  ])('finds none in "%s"', (text) => {
    expect(orcidOf(text)).toBeUndefined();
    expect(isMistypedOrcid(text)).toBe(false);
  });

  it('accepts one check digit of eleven', () => {
    const possible = [...'0123456789X'].map((digit) => `0000-0002-1825-009${digit}`);
    expect(possible.filter((text) => orcidOf(text) !== undefined)).toEqual(['0000-0002-1825-0097']);
    expect(possible.filter(isMistypedOrcid)).toHaveLength(10);
  });
});
