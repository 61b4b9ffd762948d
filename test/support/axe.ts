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

/** What makes a page wider than its window. */
export function overhang(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth ? [scrollWidth + ' > ' + clientWidth] : [];
  })()`);
}
