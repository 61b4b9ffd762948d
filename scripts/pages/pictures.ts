/** Takes pictures of the pages at the widths of a phone, a tablet, and two desks, and renews those of the README. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { exampleQuestion } from '../../src/settings/example.ts';
import { launchBrowser, openVisit } from '../../test/support/launch-browser.ts';
import { sourcePath } from '../measure/sample.ts';
import type { Filled } from './fill-database.ts';
import { shownPages } from './paths.ts';

const WIDTHS = [390, 768, 1280, 1600];
const HEIGHT = 900;

/** Files are called `light-390-dashboard-usage.png`. */
export async function takePictures(url: string, filled: Filled, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await launchBrowser();
  try {
    for (const isDark of [false, true]) {
      const { page, context } = await openVisit(browser, url, { isDark });
      const take = async (path: string): Promise<void> => {
        await page.goto(path);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: HEIGHT });
          const name = path.replaceAll(/\W+/g, '-').replace(/^-/, '') || 'front';
          const file = `${isDark ? 'dark' : 'light'}-${width}-${name}.png`;
          await page.screenshot({ path: join(folder, file), fullPage: true });
        }
      };
      const pages = shownPages(filled);
      for (const { path } of pages.filter(({ isOfVisitor }) => isOfVisitor)) await take(path);
      const cookies = Object.entries(filled.cookies);
      await context.addCookies(cookies.map(([name, value]) => ({ name, value, url })));
      for (const { path } of pages.filter(({ isOfVisitor }) => !isOfVisitor)) await take(path);
      await (isDark ? pictureResult(page) : pictureOverview(page));
      await context.close();
    }
  } finally {
    await browser.close();
  }
}

async function pictureOverview(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await page.screenshot({ path: sourcePath('scripts/screenshots/overview.png') });
}

async function pictureResult(page: Page): Promise<void> {
  await page.goto('/dashboard/try');
  await page.getByLabel('Question').fill(exampleQuestion);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.waitForURL('**/try/*');
  await page.screenshot({ path: sourcePath('scripts/screenshots/result.png') });
}
