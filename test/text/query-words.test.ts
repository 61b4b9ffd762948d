import { describe, expect, it } from 'vitest';
import { queryWords } from '../../src/text/query-words.ts';

describe('queryWords', () => {
  it.each<[what: string, question: string, words: string[]]>([
    [
      'the distinct words without stop words',
      'Do the tides follow the moon, the MOON?',
      ['tides', 'follow', 'moon'],
    ],
    ['all words of a query of stop words', 'To be or not to be', ['to', 'be', 'or', 'not']],
    [
      'at most `wordsMax` words',
      'one star two planets three moons',
      ['one', 'star', 'two', 'planets'],
    ],
    ['nothing from punctuation', '?', []],
    [
      'no German stop words of a German question',
      'Wie wirkt die Sonne auf die Haut?',
      ['wirkt', 'sonne', 'haut'],
    ],
    [
      'English words that another language stops',
      'Do cells die in pour plates?',
      ['cells', 'die', 'pour', 'plates'],
    ],
  ])('takes %s', (_, question, words) => {
    expect(queryWords(question, 4)).toEqual(words);
  });
});
