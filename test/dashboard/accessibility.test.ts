/** Every page by the rules of axe, light on a desk and dark on a telephone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillPages, forEachPage } from '../support/all-pages.ts';
import { expectAccessible, overhang, runAxe } from '../support/axe.ts';
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

describe('every page', () => {
  it('passes the checks of axe and fits', async () => {
    const { page } = await browser.visit(server.url);
    let pages = 0;
    await forEachPage(page, client, async (what) => {
      pages++;
      await expectAccessible(page, what);
    });
    expect(pages).toBeGreaterThan(30);
  }, 300_000);

  it('is laid out for the width of a telephone', async () => {
    const { page } = await browser.visit(server.url, { isPhone: true });
    await page.goto('/docs');
    expect(await page.evaluate('innerWidth')).toBe(360);
    expect(await overhang(page)).toEqual([]);
  });

  it('fails the checks of axe if an image has no alternative text', async () => {
    const { page } = await browser.visit(server.url);
    await page.goto('/docs');
    await page.evaluate("document.querySelector('h1').innerHTML = '<img src=\"/x.svg\">'");
    const { violations } = await runAxe(page);
    expect(violations.map(({ id }) => id)).toContain('image-alt');
  });
});
