/** The rules of axe, and whether a page fits into its window. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

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

/** Expects a page to pass the checks of axe, and to fit into phones, tablets, and desktops. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  const { violations, passes } = await runAxe(page);
  expect(passes.length, what).toBeGreaterThan(10);
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  expect(found, what).toEqual([]);
  for (const width of [390, 768, 900, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await overhang(page), `${what}, ${width} pixels`).toEqual([]);
  }
}
