/** Every page by the rules of axe, in light and dark, on a desk and on a telephone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillPages, forEachPage } from '../support/all-pages.ts';
import { overhang, runAxe } from '../support/axe.ts';
import { STRIPE_ENV } from '../support/billing-history.ts';
import { useBrowser } from '../support/browser.ts';
import { type PlainClient, startPlainClient } from '../support/oauth-client.ts';
import { useServer } from '../support/pages.ts';

let client: PlainClient;
beforeAll(async () => {
  client = await startPlainClient('A research agent');
});
afterAll(() => client.close());
const server = useServer(fillPages, () => ({ ...client.env, ...STRIPE_ENV }));
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
