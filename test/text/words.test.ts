import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinedWords, wordsOf } from '../../src/text/words.ts';

describe('wordsOf', () => {
  it.each<[what: string, text: string, words: string[]]>([
    ['nothing', '', []],
    ['signs alone', ' -- ?! ', []],
    ['words in order with repetitions', 'The sea, the SEA', ['the', 'sea', 'the', 'sea']],
    ['the parts of hyphenated words', 'TNF-alpha (IL-6)', ['tnf', 'alpha', 'il', '6']],
    ['letters and digits together', 'p53 H2O', ['p53', 'h2o']],
    ['Latin letters without accents', 'Naïve Ångström señor', ['naive', 'angstrom', 'senor']],
    ['combining accents', 'nai\u0308ve', ['naive']],
    ['letters that only look accented', 'Øresund straße', ['øresund', 'straße']],
    ['Russian letters', 'Йод и ёж', ['йод', 'и', 'ёж']],
    ['Greek with accents', 'Άλφα', ['άλφα']],
    ['Korean by syllables', '한국 논문', ['한국', '논문']],
    ['Japanese with voicing marks', 'がん', ['がん']],
    ['decomposed Korean', '한국'.normalize('NFD'), ['한국']],
    ['Chinese', '土壤 含碳', ['土壤', '含碳']],
    ['a combining accent that does not compose', 'а\u0301том', ['атом']],
  ])('takes %s', (_, text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it('makes words that FTS5 finds, for text in many scripts', () => {
    const db = new Database(':memory:');
    db.exec(
      `CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'porter unicode61 remove_diacritics 2')`,
    );
    const write = db.prepare('INSERT INTO texts (rowid, text) VALUES (1, ?)');
    const find = db.prepare('SELECT count(*) FROM texts WHERE texts MATCH ?').pluck();
    const clear = db.prepare('DELETE FROM texts');
    const sample = 'azAZ09éÅñçşǎőαΩάΆϊςабйЁїאשעربहिन्दीがんカ漢字한국논ไท-–. µ';
    const text = fc
      .array(fc.constantFrom(...sample), { maxLength: 30 })
      .map((letters) => letters.join('').normalize('NFC'));
    fc.assert(
      fc.property(text, (any) => {
        write.run(any);
        const lost = wordsOf(any).filter((word) => find.get(`"${word}"`) === 0);
        clear.run();
        expect(lost).toEqual([]);
      }),
      { numRuns: 1000 },
    );
    db.close();
  });
});

describe('joinedWords', () => {
  it.each<[what: string, text: string, joined: string[]]>([
    ['nothing', '', []],
    ['a letter and a digit', 'Does IL-6 rise?', ['il6']],
    ['a digit and a letter', 'a 1-day course', ['1day']],
    ['hyphens of print', 'IL\u20106, CD\u20118, p\u201353', ['il6', 'cd8', 'p53']],
    ['each pair of several', 'anti-IL-6-receptor', ['il6', '6receptor']],
    ['parts that mix both', 'IL-17A', ['il17a']],
    ['letters with accents', 'É-2 IL-1\u03b2', ['e2', 'il1β']],
    ['each word once', 'IL-6 and il-6', ['il6']],
    ['no letters alone', 'TNF-alpha', []],
    ['no digits alone', '1990-1995', []],
    ['no other signs', 'IL 6, IL/6, IL--6, -6, IL- 6', []],
    ['none of a long passage of Chinese', '龘'.repeat(200_000), []],
  ])('joins %s', (_, text, joined) => {
    expect(joinedWords(text)).toEqual(joined);
  });
});
