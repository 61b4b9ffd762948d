/** The rules of axe, and whether a page fits into its window. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** By the browser's own door, which the page's policy does not guard. */
export async function runAxe(page: Page): Promise<AxeResults> {
  await page.evaluate(axeSource);
  // Of rules that pass, one element each is enough: tables have hundreds.
  return (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
}

/** What makes a page wider than its window: the elements that reach farthest, and their places. */
export function overhang(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const outside = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1,
    );
    const describe = (element) => {
      const { left, right } = element.getBoundingClientRect();
      const name = [element.localName, ...element.classList].join('.');
      return name + ' ' + Math.round(left) + '-' + Math.round(right);
    };
    return [scrollWidth + ' > ' + clientWidth, ...outside.map(describe)].slice(0, 20);
  })()`);
}
