/** Which titles share keys, and which do not. */
import { describe, expect, it } from 'vitest';
import { titleKeysOf } from '../../src/identity/title-keys.ts';

function sharedKeys(one: string, other: string): { whole: number; pairs: number } {
  const [a, b] = [titleKeysOf(one), titleKeysOf(other)];
  return {
    whole: a.whole.filter((key) => b.whole.includes(key)).length,
    pairs: a.pairs.filter((key) => b.pairs.includes(key)).length,
  };
}

const TITLE = 'Tides of the northern shore: measurements from moored instruments';

describe('the keys of a title', () => {
  it.each([
    [
      'other case and punctuation',
      'TIDES of the Northern Shore. Measurements from moored instruments',
    ],
    ['the main title alone', 'Tides of the Northern Shore'],
    ['another subtitle', 'Tides of the northern shore: a review'],
    ['accents', 'Tídes of the nörthern shore'],
  ])('share a whole key with %s', (_, other) => {
    expect(sharedKeys(TITLE, other).whole).toBe(1);
  });

  it.each([
    ['one other word', 'Tides of the northern shore: observations from moored instruments'],
    ['a word left out', 'Tides of the northern shore: measurements from instruments'],
  ])('share a pair with %s', (_, other) => {
    expect(sharedKeys(TITLE, other).pairs).toBeGreaterThan(0);
  });

  it('share nothing with an unrelated title', () => {
    expect(sharedKeys(TITLE, 'A grammar of the northern dialects')).toEqual({ whole: 0, pairs: 0 });
  });

  it('one letter before a colon is no main title', () => {
    expect(sharedKeys('A: tides', 'A: moons').whole).toBe(0);
  });

  it('a title without letters has none', () => {
    expect(titleKeysOf(' …?! ')).toEqual({ whole: [], pairs: [] });
  });
});
