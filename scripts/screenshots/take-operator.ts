/** Takes screenshots of the operator's pages, light and dark, at four widths. */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openVisit } from '../../test/support/launch-browser.ts';

const WIDTHS = [390, 768, 900, 1280];
const HEIGHT = 900;

const pages: readonly (readonly [what: string, path: string])[] = [
  ['now', '/operator'],
  ['customers', '/operator/customers'],
  ['money', '/operator/money'],
  ['audits', '/operator/money/audits'],
  ['index', '/operator/index'],
  ['questions', '/operator/questions'],
  ['trail', '/operator/trail'],
];

export async function takeOperatorPages(
  browser: Browser,
  url: string,
  folder: string,
): Promise<void> {
  for (const isDark of [false, true]) {
    const { page } = await openVisit(browser, url, { isDark });
    await act(page);
    for (const [what, path] of pages) {
      await page.goto(path);
      await take(page, join(folder, `operator-${what}-${isDark ? 'dark' : 'light'}`));
    }
    await page.goto('/operator/customers');
    await page.locator('tbody a').first().click();
    await take(page, join(folder, `operator-customer-${isDark ? 'dark' : 'light'}`));
  }
}

/** Does what leaves something to be seen. */
async function act(page: Page): Promise<void> {
  await page.goto('/operator/money/audits');
  await page.getByRole('button', { name: 'Audit now' }).click();
  await page.getByText('Everything adds up.').first().waitFor();
}

async function take(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.screenshot({ path: `${name}-${width}.png`, fullPage: true });
  }
}
