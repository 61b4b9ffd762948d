/** A real browser on the pages: Debian's chromium, driven by playwright-core. */
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { type Look, launchBrowser, openVisit, type Visit } from './launch-browser.ts';

/**
 * The browser of the suite, for the file that calls this; each visit has cookies of its own. With a path,
 * another one: the shell without windows ends a form's redirect to another site with an error page.
 */
export function useBrowser(executablePath?: string): {
  visit(url: string, look?: Look): Promise<Visit>;
} {
  let browser: Browser;
  const visits: Visit[] = [];
  beforeAll(async () => {
    if (executablePath !== undefined) {
      browser = await launchBrowser(executablePath);
      return;
    }
    const response = await fetch(inject('browser'));
    const said = await response.text();
    expect(response.status, said).toBe(200);
    browser = await chromium.connect(said);
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
