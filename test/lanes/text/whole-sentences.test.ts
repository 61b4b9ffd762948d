import { describe, expect, it } from 'vitest';
import {
  isCut,
  passageOf,
  wholeSentences,
  withoutCutEnds,
} from '../../../src/lanes/text/whole-sentences.ts';
import { splitSentences } from '../../../src/text/split-sentences.ts';

function quotable(excerpt: string): string[] {
  const { text, sentences } = wholeSentences(excerpt, splitSentences);
  return sentences.map(({ start, end }) => text.slice(start, end));
}

describe('wholeSentences', () => {
  it.each<[excerpt: string, whole: string[]]>([
    ['One is whole. Two is too.', ['One is whole.', 'Two is too.']],
    ['One is whole. Two is cut …', ['One is whole.']],
    ['One is whole. Two is cut ...', ['One is whole.']],
    ['One is whole. Two is cut...', ['One is whole.']],
    ['One is whole. Two is cut [...]', ['One is whole.']],
    ['One is whole. ...', ['One is whole.']],
    ['... is cut. Two is whole.', ['Two is whole.']],
    ['… Of the night. Two is whole.', ['Two is whole.']],
    ['is cut without a mark. Two is whole.', ['Two is whole.']],
    ['One is whole. Two has no end', ['One is whole.']],
    ['One is whole. Two is … cut inside. Three is whole.', ['One is whole.', 'Three is whole.']],
    ['cut on both sides', []],
    ['… nothing is whole …', []],
    ['Is it whole? "It is!"', ['Is it whole?', '"It is!"']],
    ['', []],
    ['…', []],
  ])('of %j are %j', (excerpt, whole) => {
    expect(quotable(excerpt)).toEqual(whole);
  });
});

describe('withoutCutEnds', () => {
  it.each([
    ['One is whole. Two is too.', 'One is whole. Two is too.'],
    ['One is whole. It has … inside. Two', 'One is whole. It has … inside. Two'],
    ['One is whole. Two is cut...', 'One is whole.'],
    ['One is whole. Two is cut…', 'One is whole.'],
    ['...is cut. Two is whole.', 'Two is whole.'],
    ['… Of the night. Two is whole.', 'Two is whole.'],
    ['All of it is cut ...', ''],
    ['', ''],
  ])('of %j is %j', (abstract, kept) => {
    expect(withoutCutEnds(abstract, splitSentences)).toBe(kept);
  });
});

it('passageOf joins sentences by a space', () => {
  const spans = [
    { start: 0, end: 2 },
    { start: 3, end: 5 },
  ];
  expect(passageOf(['A.', 'B.'])).toEqual({ text: 'A. B.', sentences: spans });
  expect(passageOf([])).toEqual({ text: '', sentences: [] });
});

it.each([
  ['Sleep and the ...', true],
  ['… and memory', true],
  ['Sleep… and memory', false],
  ['Sleep', false],
])('isCut of %j is %j', (title, cut) => {
  expect(isCut(title)).toBe(cut);
});
