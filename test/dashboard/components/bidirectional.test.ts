/** Texts that turn the direction of writing, in a browser: they turn nothing around them. */
import type { Page } from 'playwright-core';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { CitedSentence } from '../../../src/dashboard/components/cited-sentence.tsx';
import { FrontExample } from '../../../src/dashboard/components/front-example.tsx';
import { CheckedItem } from '../../../src/dashboard/report/checked-item.tsx';
import { PaperLink } from '../../../src/dashboard/report/paper-link.tsx';
import type { Citation } from '../../../src/types.ts';
import { useBrowser } from '../../support/browser.ts';

/** The last character makes what follows it run from right to left. */
const TURNED = 'Tides\u202E';

const browser = useBrowser();

const citation: Citation = {
  d: '10.5555/tides',
  t: TURNED,
  y: 2021,
  a: [TURNED, 'Bo Dahl'],
  venue: TURNED,
  s: 0.5,
  q: 'Tides rise.',
  src: 'corpus',
};

/** The last text that is visible: how far its last character stands to the right of its first one. */
async function widthOfEnd(page: Page, shown: string): Promise<number> {
  await page.setContent(`<div id="shown">${shown}</div>`);
  return (await page.evaluate(`{
    const texts = document.createTreeWalker(document.querySelector('#shown'), NodeFilter.SHOW_TEXT);
    let last;
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      if (text.data.trim().length > 2 && text.parentElement.checkVisibility()) last = text;
    }
    const leftOf = (at) => {
      const range = document.createRange();
      range.setStart(last, at);
      range.setEnd(last, at + 1);
      return range.getBoundingClientRect().left;
    };
    const end = last.data.trimEnd().length - 1;
    leftOf(end) - leftOf(last.data.length - last.data.trimStart().length);
  }`)) as number;
}

describe('a text that turns the direction', () => {
  const checked = { kind: 'reference', verdict: 'not_found' } as const;
  const example = { question: TURNED, citation: { ...citation, a: [TURNED] }, isFromIndex: true };
  it.each([
    ['its citation', renderToString(h(CitedSentence, { citation, place: 1 }))],
    ['the front page', renderToString(h(FrontExample, { example }))],
    ['a report', renderToString(h(PaperLink, { d: citation.d, t: TURNED }))],
    ['a verdict', renderToString(h(CheckedItem, { checked, name: TURNED, children: null }))],
  ])('does not turn %s', async (_name, shown) => {
    const { page } = await browser.visit('http://localhost');
    expect(await widthOfEnd(page, shown)).toBeGreaterThan(0);
  });

  it('would turn what is not isolated', async () => {
    const { page } = await browser.visit('http://localhost');
    expect(await widthOfEnd(page, `<cite>${TURNED}</cite> credited`)).toBeLessThan(0);
  });
});
