import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  lookUpsOf,
  stopTerms,
  termOf,
  termsOf,
  termsOfWord,
  termsOfWordIn,
  wordAndParts,
} from '../../src/text/terms.ts';
import { wordsOf } from '../../src/text/words.ts';

describe('termOf', () => {
  it.each([
    // From the authors' own test vectors of 32-bit FNV-1a.
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
  ])('is the FNV-1a hash of "%s"', (word, hash) => {
    expect(termOf(word)).toBe(hash);
  });

  it.each([
    ['inhibits', 'inhibition'],
    ['tides', 'tide'],
    ['observing', 'observed'],
  ])('is the same for "%s" and "%s"', (a, b) => {
    expect(termOf(a)).toBe(termOf(b));
  });

  it('distinguishes other words and fits in 32 bits', () => {
    const words = ['star', 'start', 'planet', 'plant', 'é', 'е', '한국', '漢字', ''];
    const terms = words.map(termOf);
    expect(new Set(terms).size).toBe(words.length);
    for (const term of terms) expect(term).toBe(term >>> 0);
  });
});

describe('wordAndParts', () => {
  it.each([
    ['il6', ['il6', 'il', '6']],
    ['6h2o', ['6h2o', '6', 'h', '2', 'o']],
    ['star', ['star']],
    ['1998', ['1998']],
    ['癌', ['癌']],
    ['土壤', ['土壤']],
    ['血红蛋白', ['血红蛋白', '血红', '红蛋', '蛋白']],
    ['使用bert2模型', ['使用bert2模型', '使用', 'bert', '2', '模型']],
    ['データ', ['データ', 'デー', 'ータ']],
    ['논문을', ['논문을', '논문', '문을']],
    ['𠮷野家', ['𠮷野家', '𠮷野', '野家']],
    ['p53基', ['p53基', 'p', '53', '基']],
  ])('splits %s', (word, parts) => {
    expect(wordAndParts(word)).toEqual(parts);
  });
});

describe('termsOf', () => {
  it('gives the terms of the words and their parts, in order and with repetitions', () => {
    const texts = fc.array(fc.constantFrom('Stars', 'star', 'il6', 'IL-6', 'é', '漢字', '?'));
    fc.assert(
      fc.property(texts, (words) => {
        const text = words.join(' ');
        expect(termsOf(text)).toEqual(wordsOf(text).flatMap(wordAndParts).map(termOf));
      }),
    );
  });

  it('gives the same terms for more words than the cache holds', () => {
    const words = Array.from({ length: 60_000 }, (_, i) => `w${i.toString(36)}`);
    const first = words.map((word) => termsOf(word).join());
    expect(words.map((word) => termsOf(word).join())).toEqual(first);
    expect(first[59_999]).toBe(
      wordAndParts(words[59_999] as string)
        .map(termOf)
        .join(),
    );
  });
});

describe('stopTerms', () => {
  it('contains stop words and single characters, and no others', () => {
    for (const word of ['the', 'does', 'x', '7']) expect(stopTerms.has(termOf(word))).toBe(true);
    for (const word of ['star', 'il', '10']) expect(stopTerms.has(termOf(word))).toBe(false);
  });
});

describe('termsOfWordIn', () => {
  const german = 'Die Analyse der Proben wurde nicht von uns gemacht';
  it('stems words of English and of Chinese texts, and no others', () => {
    expect(termsOf('tides', termsOfWordIn('The tides of the sea'))).toEqual([termOf('tide')]);
    expect(termsOf('tides', termsOfWordIn('潮汐的研究 tides'))).toEqual([termOf('tide')]);
    const [term] = termsOf('Analyse', termsOfWordIn(german));
    expect(term).not.toBe(termOf('analyse'));
    expect(termsOf('Raman', termsOfWordIn(german))).toEqual([termOf('raman')]);
  });

  it('makes terms that a question in that language looks up', () => {
    const ofWord = termsOfWordIn(german);
    for (const word of ['analyse', 'proben', 'il6', '血红蛋白', '1998']) {
      const looked = lookUpsOf(word, false).map(({ term }) => term);
      expect(looked).toEqual(expect.arrayContaining([...ofWord(word), ...termsOfWord(word)]));
    }
    expect(lookUpsOf('il6', true).map(({ word }) => word)).toEqual(['il6', 'il', '6']);
  });

  it('takes a million characters without spaces', () => {
    expect(termsOf('汉'.repeat(1e6)).length).toBe(1e6);
    expect(termsOf('😀'.repeat(5e5))).toEqual([]);
    expect(termsOf('𠮷'.repeat(5e5)).length).toBe(5e5);
  });
});
