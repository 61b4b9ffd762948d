import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { CitedSentence, highlight } from '../../../src/dashboard/components/cited-sentence.tsx';
import type { Citation } from '../../../src/types.ts';

describe('a quoted sentence', () => {
  it('is found in its abstract', () => {
    expect(highlight('One. Two. Three.', 'Two.')).toEqual({
      before: 'One. ',
      quote: 'Two.',
      after: ' Three.',
    });
  });
  it.each([
    ['', 'A title'],
    ['One.', 'Two.'],
    ['One.', ''],
  ])('is not found in %j if it is %j', (abstract, quote) => {
    expect(highlight(abstract, quote)).toBeUndefined();
  });
});

const moth: Citation = {
  d: 'm',
  t: 'Moths',
  y: 0,
  a: [],
  s: 0.5,
  q: 'Moths fly.',
  src: 'corpus',
};

describe('the authors of a result', () => {
  it('are all shown, or the first three with the others behind a click', () => {
    const authors = ['Ada', 'Bo', 'Cy', 'Di'];
    const show = (all: string[]): string => {
      const citation = { ...moth, a: all.slice(0, 1), authors: all };
      return renderToString(h(CitedSentence, { citation, place: 1 })).replaceAll(/<[^>]+>/g, '');
    };
    expect(show(authors.slice(0, 3))).toMatch(/Moths, Ada, Bo, Cy\. m/);
    expect(show(authors)).toMatch(/Moths, Ada, Bo, Cy, et al\.\. m.*All 4 authorsAda, Bo, Cy, Di/);
  });
});

describe('how likely a quote answers', () => {
  it.each([
    [undefined, undefined],
    [1, 'very likely answers'],
    [0.8, 'very likely answers'],
    [0.5, 'probably answers'],
    [0.25, 'may answer'],
    [0.24, undefined],
  ])('is said in words if it is likely enough: %s', (answers, words) => {
    const citation = answers === undefined ? moth : { ...moth, answers };
    const html = renderToString(h(CitedSentence, { citation, place: 1 }));
    expect(html.match(/<span class="badge">(.*?)<\/span>/)?.[1]).toBe(words);
  });
});
