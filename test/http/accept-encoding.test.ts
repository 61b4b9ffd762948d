/** Which encoding an answer gets: RFC 9110, section 12.5.3. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseEncoding } from '../../src/http/accept-encoding.ts';

describe('chooseEncoding', () => {
  it.each([
    ['', 'identity'],
    ['identity', 'identity'],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;Q=0.5', 'gzip'],
    ['deflate', 'identity'],
    ['compress, zstd', 'identity'],
    ['*', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0.8, gzip;q=0.80', 'br'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0.000', 'identity'],
    ['gzip;q=0, *', 'br'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['*;q=0', 'identity'],
    ['*;q=0, gzip', 'gzip'],
    ['gzip, identity;q=0', 'gzip'],
    ['identity;q=0', 'identity'],
    ['identity, gzip;q=0.5', 'identity'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0.1, gzip;q=0.5', 'gzip'],
    ['gzip ; q=1.0 , br ; q=0.001', 'gzip'],
    [' , ,gzip,', 'gzip'],
    ['gzip;q=2', 'identity'],
    ['gzip;q=', 'identity'],
    ['gzip;q=abc', 'identity'],
    ['gzip;q=-1', 'identity'],
    ['gzip;level=9', 'identity'],
    ['gzipped', 'identity'],
    ['br gzip', 'identity'],
    ['__proto__, constructor;q=1', 'identity'],
  ])('chooses for "%s" the encoding %s', (header, expected) => {
    expect(chooseEncoding(header)).toBe(expected);
  });

  it('returns one of the three encodings for any header', () => {
    const deps = fc.constantFrom('gzip', 'br', '*', 'identity', ';q=', '0', '0.5', '1', ',', ' ');
    const headers = fc.oneof(
      fc.string(),
      fc.array(deps).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(headers, (header) => {
        expect(['br', 'gzip', 'identity']).toContain(chooseEncoding(header));
      }),
    );
  });
});
