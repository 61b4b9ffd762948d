/** The sentences of texts in other languages than English. */
import { describe, expect, it } from 'vitest';
import { splitSentences } from '../../src/text/split-sentences.ts';

function sentencesOf(text: string): string[] {
  return splitSentences(text).map(({ start, end }) => text.slice(start, end));
}

function check(rows: readonly (readonly string[])[], separator = ' '): void {
  it.each(rows.map((sentences) => [sentences]))('%j', (sentences) => {
    expect(sentencesOf(sentences.join(separator))).toEqual(sentences);
  });
}

describe('German', () => {
  const first = 'Die Proben wurden bei Raumtemperatur gelagert.';
  check([
    [first, 'Es gibt viele Stoffe, z. B. Kaffee, z.B. Tee bzw. Milch.', 'Danach nicht mehr.'],
    [first, 'Das Wasser, d. h. Leitungswasser, kochte.', 'Dann stand es.'],
    [
      first,
      'Der Versuch begann am 3. Mai und endete am 14. Juni 2019.',
      'Im 19. Jahrhundert nicht.',
    ],
    [first, 'Es waren 15.', 'Die Zahl stieg auf 3,5 und 2.75 (vgl. Abb. 3).'],
    [first, 'Er endete im Jahr 2019.', 'Wasser blieb übrig.'],
    [
      first,
      'Prof. A. Meier und Dr. J.-P. Kurz maßen ca. 30 Tiere der Fa. Müller u. a. Lieferanten.',
    ],
    [first, 'Salze, Säuren usw.', 'Diese lösten sich.'],
    [first, 'Sie maßen Nr. 5, Bd. 2 und S. 14 ff. im Anhang.'],
    [first, 'Ist das so?', 'Ja, „so ist es.“', 'Man fragte: »Warum?«', 'Niemand wusste es.'],
  ]);
});

describe('French', () => {
  const first = 'Les plantes ont été cultivées dans une serre.';
  check([
    [first, 'Il existe des cas, p. ex. Le Monde, et d’autres.', 'Ils sont rares.'],
    [first, 'M. Dupont et Mme. Curie ont mesuré env. 3,5 et 2.7 g (cf. Fig. 3).', 'Le reste suit.'],
    [first, 'Pourquoi ?', 'Parce que c’est ainsi !', 'Voilà.'],
    [first, '« Il est vrai. » ajoute J.-C. Roux.', 'Les autres se taisent.'],
    [
      first,
      'Les sels, les acides, etc. sont dissous.',
      'Il n’y a pas de vitamine C.',
      'Elle manque.',
    ],
    [first, 'Selon l’art. 5, no. 7, vol. 3, pp. 10-12, c.-à-d. ici, on refuse.'],
  ]);
});

describe('Spanish', () => {
  const first = 'Las plantas fueron cultivadas en un invernadero.';
  check([
    [first, 'Hay casos, p. ej. Madrid, y otros.', 'Son raros.'],
    [
      first,
      'La Dra. García y el Sr. López viven en EE. UU. desde 1998.',
      'En total hay 3.5 (aprox. 20).',
    ],
    [first, '¿Por qué?', '¡Porque es así!', 'Según el art. 5, núm. 7, no.'],
    [first, 'Trabajan en EE. UU.', '¿Quién lo sabe?'],
  ]);
});

describe('Chinese, Japanese, and Korean', () => {
  check(
    [
      ['研究表明，该方法有效。', '误差为3.5%！', '真的吗？', '是。'],
      ['研究表明.', '本文提出了方法.', '结果见图1.5和表2。'],
      ['结果显著（p<0.05）。', 'BERT模型更好．', '因此可行。'],
      ['𠮷野家です.', '次です。', '「良い。」と言う。', 'そうか……まだです。'],
    ],
    '',
  );
  check([['한국어 문장이다.', '값은 3.5이다.', '끝인가?', '그렇다.']]);
});

describe('other scripts', () => {
  check([
    ['ما هو الماء؟', 'الماء سائل.', 'وهو مهم!'],
    ['Что это такое?', 'Это вода.', 'Она жидкая.'],
    // Thai marks no end of a sentence.
    ['น้ำเป็นของเหลว มีอยู่ทั่วไป'],
  ]);
});

describe('mixed text', () => {
  it('has the rules of the language that most of it is in', () => {
    const english = 'The samples were stored at 4 °C and then measured (“z. B. Kaffee”).';
    expect(sentencesOf(`${english} They came on 3. Mai was the day.`)).toEqual([
      english,
      'They came on 3.',
      'Mai was the day.',
    ]);
  });
});

describe('a million characters', () => {
  it.each([
    ['without an end', '汉', 1],
    ['of one word and a period', '汉.', 500_000],
    ['of surrogate pairs', '𠮷。', 333_334],
    ['of emoji', '😀.', 1],
    ['of abbreviations', 'z. B. die und ', 1],
  ])('%s', (_, part, sentences) => {
    const text = part.repeat(Math.ceil(1e6 / part.length));
    expect(splitSentences(text).length).toBe(sentences);
  });
});
