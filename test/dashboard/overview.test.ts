/** The overview of a new customer, and of one with many keys and large figures. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { addKey, addSearches, addSomeone } from '../support/history.ts';
import { signedInClient, signIn, useServer } from '../support/pages.ts';
import { postSearch } from '../support/service.ts';

const NEW = 'new@example.org';
const OLD = 'old@example.org';
const KEYS = 12;

const newcomer = { customerId: 0 };
const server = useServer(async (database) => {
  newcomer.customerId = addSomeone(database, { email: NEW, credits: 3 }).customerId;
  const { customerId } = addSomeone(database, { email: OLD, credits: 999_999_999 });
  for (let place = 1; place <= KEYS; place++) {
    const { key } = addKey(database, customerId, `Key ${place}`);
    const searches = { days: 1, countOf: () => place };
    addSearches(database, { customerId, keyId: key.id }, searches);
  }
});
const browser = useBrowser();

describe('a new customer', () => {
  it('sees the first steps instead of an empty chart, until the first search', async () => {
    const client = await signedInClient(server.url, NEW);
    const overview = async (): Promise<string> => (await client.get('/dashboard')).text;
    const first = await overview();
    expect(first).toContain('Get started');
    expect(first.match(/class="done"/g)).toHaveLength(1);
    expect(first).toContain('href="/dashboard/keys">Create a key');
    expect(first).not.toContain('Searches per day');
    const { secret } = addKey(server.database, newcomer.customerId, 'First');
    expect((await overview()).match(/class="done"/g)).toHaveLength(2);
    await postSearch(server.url, secret);
    await expect.poll(overview).toContain('Searches per day');
    expect(await overview()).not.toContain('Get started');
  });
});

describe('a customer with many keys', () => {
  it('is warned below the balance that they choose', async () => {
    const client = await signedInClient(server.url, OLD);
    const overview = async (): Promise<string> => (await client.get('/dashboard')).text;
    const warn = (low_balance: string) =>
      client.submit('/dashboard/billing/preferences', { low_balance }, '/dashboard/billing');
    expect((await warn('1000000000')).status).toBe(303);
    expect(await overview()).toContain('running low');
    await warn('');
    expect(await overview()).not.toContain('running low');
  });

  it('reads each figure in one line and one typeface at every width', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, OLD);
    for (const width of [320, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const figures =
        (await page.evaluate(`[...document.querySelectorAll('.figure')].map((figure) => {
        const range = document.createRange();
        range.selectNodeContents(figure);
        const outer = figure.closest('.tile').getBoundingClientRect();
        const inner = range.getBoundingClientRect();
        return {
          lines: new Set([...range.getClientRects()].map(({ top }) => top)).size,
          fits: inner.left >= outer.left && inner.right <= outer.right,
          family: getComputedStyle(figure).fontFamily,
        };
      })`)) as { lines: number; fits: boolean; family: string }[];
      expect(figures).toHaveLength(3);
      const [{ family } = { family: '' }] = figures;
      for (const figure of figures) expect(figure).toEqual({ lines: 1, fits: true, family });
    }
  });
});

describe('the menu', () => {
  let wide: Page;
  beforeAll(async () => {
    ({ page: wide } = await browser.visit(server.url, { isWithoutScript: true }));
    await signIn(wide, OLD);
  });

  it('marks the page that is shown', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, OLD);
    for (const [path, label] of [
      ['/dashboard', 'Overview'],
      ['/dashboard/account/security', 'Account'],
    ] as const) {
      await page.goto(path);
      expect(await page.locator('.nav [aria-current]').allTextContents()).toEqual([label]);
    }
  });

  it.each([390, 900])('opens and closes without JavaScript at %d pixels', async (width) => {
    await wide.setViewportSize({ width, height: 900 });
    await wide.goto('/dashboard');
    const keys = wide.getByRole('link', { name: 'Keys', exact: true });
    expect(await keys.isVisible()).toBe(false);
    await wide.getByRole('button', { name: 'Menu' }).click();
    expect(await keys.isVisible()).toBe(true);
    await wide.keyboard.press('Escape');
    expect(await keys.isVisible()).toBe(false);
    await wide.getByRole('button', { name: 'Menu' }).click();
    await keys.click();
    await wide.waitForURL('**/dashboard/keys');
  });

  it('keeps its links in their places from page to page', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, OLD);
    const places = (): Promise<unknown> =>
      page.evaluate(`[...document.querySelectorAll('.nav a')]
        .map((link) => link.getBoundingClientRect())
        .map(({ left, top }) => [Math.round(left), Math.round(top)])`);
    const onOverview = await places();
    for (const path of ['/dashboard/keys', '/dashboard/try', '/docs']) {
      await page.goto(path);
      expect(await places(), path).toEqual(onOverview);
    }
  });

  it.each([390, 768, 900, 1280])('has room for all of its links at %d pixels', async (width) => {
    await wide.setViewportSize({ width, height: 900 });
    await wide.goto('/dashboard');
    const menu = wide.getByRole('button', { name: 'Menu' });
    if (await menu.isVisible()) await menu.click();
    const boxes = (await wide.evaluate(`[...document.querySelectorAll('.nav a, .nav button')]
      .map((link) => link.getBoundingClientRect())
      .filter(({ width }) => width > 0)
      .map(({ left, right, top, bottom }) => ({ left, right, top, bottom }))`)) as Record<
      'left' | 'right' | 'top' | 'bottom',
      number
    >[];
    expect(boxes.length).toBeGreaterThan(8);
    for (const [at, box] of boxes.entries()) {
      expect(box.left).toBeGreaterThanOrEqual(0);
      expect(box.right).toBeLessThanOrEqual(width);
      const overlapping = boxes
        .slice(at + 1)
        .filter(
          (other) =>
            other.left < box.right &&
            box.left < other.right &&
            other.top < box.bottom &&
            box.top < other.bottom,
        );
      expect(overlapping).toEqual([]);
    }
  });
});
