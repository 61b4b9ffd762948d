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

/** Rules about what CSS changes in other looks: colors, and what it hides. */
const RULES_OF_LOOKS = [
  ...['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'aria-hidden-focus'],
  ...['button-name', 'label', 'link-name', 'skip-link', 'summary-name'],
];
const DESK = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };
/** Rows of a table are alike. */
const FURTHER_ROWS = 'tbody > tr:nth-child(n + 9)';
/** Of tablets and of small windows. */
const WIDTHS_BETWEEN = [768, 900];

/** By the browser's own door, which the page's policy does not guard. */
export async function runAxe(page: Page): Promise<AxeResults> {
  await page.evaluate(axeSource);
  return repeatAxe(page);
}

/** Runs these rules, or all, on a page that has axe already. */
function repeatAxe(page: Page, rules?: readonly string[]): Promise<AxeResults> {
  const options = {
    // Of rules that pass, one element each is enough: tables have hundreds.
    resultTypes: ['violations'],
    runOnly: rules && { type: 'rule', values: rules },
    // Nobody reads the selectors, and no rule here reads style sheets or media. Both take a quarter of the time.
    selectors: false,
    preload: false,
  };
  const context = `{ include: document, exclude: '${FURTHER_ROWS}' }`;
  return page.evaluate(`axe.run(${context}, ${JSON.stringify(options)})`) as Promise<AxeResults>;
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

/**
 * Expects a page in a light window of a desk to pass the checks of axe, there and in the dark on a phone,
 * and to fit into both and into windows between them.
 */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  const light = await runAxe(page);
  expect(light.passes.length, what).toBeGreaterThan(10);
  expect(shown(light), what).toEqual([]);
  await expectFits(page, what);
  for (const width of WIDTHS_BETWEEN) {
    await page.setViewportSize({ ...DESK, width });
    await expectFits(page, what);
  }
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectFits(page, what);
  expect(shown(await repeatAxe(page, RULES_OF_LOOKS)), `${what}, in the dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(DESK);
}

async function expectFits(page: Page, what: string): Promise<void> {
  expect(await overhang(page), `${what}, ${page.viewportSize()?.width} pixels`).toEqual([]);
}

function shown({ violations }: AxeResults): string[] {
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
