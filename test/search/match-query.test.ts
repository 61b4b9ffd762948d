/** Words of any script: a query looks up the tokens that FTS5 has made of a document. */
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { createLexicalRetriever } from '../../src/index/lexical/lexical-retrieval.ts';
import { createStatisticsReader } from '../../src/index/lexical/term-statistics.ts';
import { parseQuery, weightQuery } from '../../src/search/weight-query.ts';
import { addDocuments, memoryIndex } from '../index/memory-index.ts';

const CODE_POINTS = 0x110000;
const LETTERS_AT_ONCE = 256;
const IS_LETTER = /[\p{L}\p{N}\p{Co}]/u;
const IS_IDEOGRAPH = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Tangut}]/u;

/** The documents that contain any of the question's words. */
function finderOf(db: Connection): (question: string) => number[] {
  const statistics = createStatisticsReader(db)();
  const lexical = createLexicalRetriever(db, { postingsMax: 100 });
  return (question) =>
    Array.from(lexical.retrieve(weightQuery(parseQuery(question, 16), statistics).terms).documents);
}

describe('lexical matching', () => {
  it.each([
    ['accents', 'Café Ångström', 'cafe angstrom'],
    ['no accents', 'cafe angstrom', 'CAFÉ ÅNGSTRÖM'],
    ['accents as marks of their own', 'cafe\u0301', 'caf\u00e9'],
    ['Vietnamese', 'Nghiên cứu giấc ngủ', 'nghien cuu giac ngu'],
    ['Greek', 'Η ΘΆΛΑΣΣΑ', 'θάλασσα'],
    ['Cyrillic', 'Ёж и Йод', 'йод'],
    ['Korean', '데이터베이스 구조', '데이터베이스'],
    ['Japanese', 'データベース とは', 'データベース'],
    ['Hindi', 'पानी गिरा', 'पानी'],
    ['Arabic', 'ما هو الماء', 'الماء'],
    ['Chinese', '土壤含碳', '土壤含碳'],
  ])('finds %s', (_, title, question) => {
    const db = memoryIndex();
    addDocuments(db, [{ title }, { id: 'b', title: 'Another one' }]);
    expect(finderOf(db)(question)).toEqual([1]);
  });

  it('can look up a word with any letter of any script', () => {
    const db = memoryIndex();
    addDocuments(db, [{ title: 'Tides' }]);
    const lexical = createLexicalRetriever(db, { postingsMax: 100 });
    const statistics = createStatisticsReader(db)();
    const codes = Array.from({ length: CODE_POINTS }, (_, code) => code);
    // Private-use letters are all alike, and so are ideographs, so a sample is enough.
    const letters = codes
      .filter((code) => code <= 0xe000 || (code >= 0xf900 && code <= 0xf0000))
      .map((code) => String.fromCodePoint(code))
      .filter((letter) => IS_LETTER.test(letter))
      .filter((letter, at) => at % 16 === 0 || !IS_IDEOGRAPH.test(letter));
    expect(letters.length).toBeGreaterThan(30_000);
    for (let at = 0; at < letters.length; at += LETTERS_AT_ONCE) {
      const some = letters.slice(at, at + LETTERS_AT_ONCE);
      const question = some.map((letter) => `ka${letter}b`).join(' ');
      const { terms } = weightQuery(parseQuery(question, 2 * LETTERS_AT_ONCE), statistics);
      expect(() => lexical.retrieve(terms), question).not.toThrow();
    }
  });
});
