/** Takes pictures of the page that a browser shows, at the widths of a phone, tablets, and a desk. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const WIDTHS = [390, 768, 900, 1280];
const HEIGHT = 900;

/** Takes a picture of what a page shows now, at each width. */
export type TakePicture = (what: string) => Promise<void>;

/** Files are called `what-light-390.png`. */
export function picturesOf(page: Page, folder: string, isDark: boolean): TakePicture {
  return async (what) => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      const name = `${what}-${isDark ? 'dark' : 'light'}-${width}.png`;
      await page.screenshot({ path: join(folder, name), fullPage: true });
    }
  };
}
