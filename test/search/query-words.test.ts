import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryWords } from '../../src/search/query-words.ts';

const ROWS: [what: string, text: string, words: string[]][] = [
  ['nothing', '', []],
  ['only white space', ' \n\t\u00a0', []],
  ['only marks', '?!... — "" ()', []],
  ['plain words', 'statins lower mortality', ['statins', 'lower', 'mortality']],
  [
    'a question without its common words',
    'Do statins lower the mortality?',
    ['statins', 'lower', 'mortality'],
  ],
  ['only common words', 'to be or not to be', ['to', 'be', 'or', 'not']],
  ['a word that comes again', 'Star star STAR stars', ['star', 'stars']],
  ['quotes', '"statins" \'lower\' “mortality” `now`', ['statins', 'lower', 'mortality', 'now']],
  ['operators', 'statins AND mortality NOT age', ['statins', 'mortality', 'age']],
  ['NEAR', 'NEAR(statins, 5)', ['near', 'statins', '5']],
  ['a column filter', 'title: statins', ['title', 'statins']],
  [
    'a prefix and its like',
    'stat* ^lower -mortality +age {x}',
    ['stat', 'lower', 'mortality', 'age', 'x'],
  ],
  ['SQL', "'; DROP TABLE documents; --", ['drop', 'table', 'documents']],
  ['hyphens and slashes', 'IL-6/TNF-α ratio', ['il', '6', 'tnf', 'α', 'ratio']],
  ['decimals', '3.14 p<0.05', ['3', '14', 'p', '0', '05']],
  ['an apostrophe', "Alzheimer's disease", ['alzheimer', 's', 'disease']],
  ['underscores', 'snake_case_name', ['snake', 'case', 'name']],
  ['accents', 'Café NAÏVE Ångström', ['café', 'naïve', 'ångström']],
  ['accents in two forms', 'caf\u00e9 cafe\u0301', ['café']],
  ['emoji', 'statins 😀 lower 👩‍🔬 it', ['statins', 'lower']],
  ['emoji alone', '😀👍🏽', []],
  ['NUL', 'statins\0lower', ['statins', 'lower']],
  ['control characters', 'a\u0001statins\u001b[31m', ['statins', '31m']],
  ['Chinese', '土壤含碳。为什么', ['土壤含碳', '为什么']],
  ['Japanese', 'データベース とは', ['データベース', 'とは']],
  ['Korean', '데이터베이스', ['데이터베이스']],
  ['Hindi with its marks', 'पानी गिरा', ['पानी', 'गिरा']],
  ['Arabic', 'ما هو الماء؟', ['ما', 'هو', 'الماء']],
  ['Cyrillic in capitals', 'ПОЧВА', ['почва']],
  ['digits of other scripts', '１２ ٣', ['１２', '٣']],
  ['lone surrogates', 'statins\ud83dlower', ['statins', 'lower']],
];

describe('queryWords', () => {
  it.each(ROWS)('takes %s', (_, text, words) => {
    expect(queryWords(text, 64)).toEqual(words);
  });

  it('takes the first words where there are too many', () => {
    const text = Array.from({ length: 100 }, (_, i) => `word${i}`).join(' ');
    expect(queryWords(text, 3)).toEqual(['word0', 'word1', 'word2']);
  });

  it('finds distinct words of letters, digits and marks in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, wordsMax) => {
        const words = queryWords(text, wordsMax);
        expect(words.length).toBeLessThanOrEqual(wordsMax);
        expect(new Set(words).size).toBe(words.length);
        for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}\p{M}\p{Co}]+$/u);
      }),
    );
  });

  it('takes linear time', () => {
    expect(queryWords('a'.repeat(1_000_000), 64)).toHaveLength(1);
    expect(queryWords('a b '.repeat(250_000), 64)).toEqual(['b']);
  });
});
