/** A real browser on the pages: Debian's chromium, driven by playwright-core. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Look, launchBrowser, openVisit, type Visit } from './launch-browser.ts';

/** The browser of the file that calls this; each visit has cookies of its own. */
export function useBrowser(): { visit(url: string, look?: Look): Promise<Visit> } {
  let browser: Browser;
  const visits: Visit[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    expect(visits.flatMap(({ complaints }) => complaints)).toEqual([]);
  });
  return {
    async visit(url, look = {}) {
      const visit = await openVisit(browser, url, look);
      visits.push(visit);
      return visit;
    },
  };
}
