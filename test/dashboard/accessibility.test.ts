/** Every page by the rules of axe, in light and dark, on a desk and on a telephone. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillPages, forEachPage } from '../support/all-pages.ts';
import { useBrowser } from '../support/browser.ts';
import { type PlainClient, startPlainClient } from '../support/oauth-client.ts';
import { useServer } from '../support/pages.ts';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

let client: PlainClient;
beforeAll(async () => {
  client = await startPlainClient('A research agent');
});
afterAll(() => client.close());
const server = useServer(fillPages, () => client.env);
const browser = useBrowser();

const looks = [
  { name: 'light, on a desk', isDark: false, isPhone: false },
  { name: 'dark, on a telephone', isDark: true, isPhone: true },
];

describe('every page', () => {
  it.each(looks)(
    'passes the checks of axe: $name',
    async (look) => {
      const { page } = await browser.visit(server.url, look);
      let pages = 0;
      await forEachPage(page, client, async (what) => {
        pages++;
        const { violations, passes } = await runAxe(page);
        expect(passes.length, what).toBeGreaterThan(10);
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
        expect(found, what).toEqual([]);
        const own = page.viewportSize() ?? { width: 0, height: 0 };
        for (const width of look.isPhone ? [own.width] : [768, 900, own.width]) {
          await page.setViewportSize({ ...own, width });
          expect(await overhang(page), `${what}, ${width} pixels`).toEqual([]);
        }
      });
      expect(pages).toBeGreaterThan(30);
    },
    300_000,
  );

  it('fails the checks of axe if an image has no alternative text', async () => {
    const { page } = await browser.visit(server.url);
    await page.goto('/docs');
    await page.evaluate("document.querySelector('h1').innerHTML = '<img src=\"/x.svg\">'");
    const { violations } = await runAxe(page);
    expect(violations.map(({ id }) => id)).toContain('image-alt');
  });
});

/** By the browser's own door, which the page's policy does not guard. */
async function runAxe(page: Page): Promise<AxeResults> {
  await page.evaluate(axeSource);
  // Of rules that pass, one element each is enough: tables have hundreds.
  return (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
}

/** What makes a page wider than its window. */
function overhang(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth ? [scrollWidth + ' > ' + clientWidth] : [];
  })()`);
}
