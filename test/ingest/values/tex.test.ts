/** How much of a text the library parses; `bibtex.test.ts` has what texts become. */
import { beforeAll, describe, expect, it } from 'vitest';
import { loadTex, type TexBudget, texToNames, texToText } from '../../../src/ingest/values/tex.ts';

beforeAll(loadTex);

/** The characters of a text that are parsed. */
function parsed(tex: string, convert: (tex: string, budget: TexBudget) => unknown): number {
  const budget = { charactersLeft: 1_000 };
  convert(tex, budget);
  return 1_000 - budget.charactersLeft;
}

const TEXTS: [text: string, decoded: string][] = [
  ['{\\"U}ber G\\"odel and \\v{S}t\\v ep\\\'an', 'Über Gödel and Štěpán'],
  ['{{Both braces\n   around {\\"o}}}', 'Both braces around ö'],
  ["na{\\\"\\i}ve --- {\\O}re -- ``so''~{ss} {{X}}", 'naïve — Øre – “so” ss X'],
  ["\\c{C}a va \\L{}\\'od\\'{z} {\\AA}s 5\\% \\_", 'Ça va Łódź Ås 5% _'],
];

it.each(TEXTS)('%s is decoded', (text, decoded) => {
  expect(texToText(text)).toBe(decoded);
});

describe('the library parses', () => {
  it('nothing of names and titles with accents, dashes, and braces', () => {
    for (const [text] of TEXTS.slice(0, 3)) expect(parsed(text, texToText)).toBe(0);
    const names = Array.from({ length: 1_700 }, (_, at) => `{\\"O}re${at}, {A.}~B.`);
    expect(parsed(names.join(' and '), texToNames)).toBe(0);
  });

  it('words with formulas and commands, short ones at the price of ten characters', () => {
    expect(parsed('A plain title of $x^2$ and {braces}', texToText)).toBe(10);
    expect(parsed('Berg, $x$ and \\textsc{Dahl}, Bo', texToNames)).toBe(
      10 + '\\textsc{Dahl}'.length,
    );
  });

  it('no more than is left, and a shorter word may still fit', () => {
    const budget = { charactersLeft: 25 };
    expect(texToText('$a^2$ $long^2+formula^2$ $b^2$ $c^2$ {\\"o}', budget)).toBe(
      'a² $long^2+formula^2$ b² $c^2$ ö',
    );
    expect(budget.charactersLeft).toBe(5);
  });
});

it.each([
  ['Berg, Anna and Bo Dahl and others', ['Anna Berg', 'Bo Dahl']],
  ['van den Berg, Anna and Dahl, Jr., Bo', ['Anna van den Berg', 'Bo Dahl Jr.']],
  ['{Group of A and B, Inc.} and Berg, A.,', ['Group of A and B, Inc.', 'A. Berg']],
  ['A, B, C, D and Berg, Anna', ['A, B, C, D', 'Anna Berg']],
  ['Ek and and\tFalk AND Lind', ['Ek', 'Falk', 'Lind']],
  [', and {} and ~', []],
])('%s are names', (list, names) => {
  expect(texToNames(list)).toEqual(names);
});
