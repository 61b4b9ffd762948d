/** The page Try it in a browser: filters, weak results, and citations to copy. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addPapers } from '../http/look-up-papers.ts';
import { useBrowser } from '../support/browser.ts';
import { addKey, addSomeone } from '../support/history.ts';
import { signIn, useServer } from '../support/pages.ts';

const ADA = 'reader@example.org';
const EVE = 'eve@example.org';
const SLEEP = 'does sleep help memory';

const server = useServer(async (database) => {
  await addPapers(database);
  for (const email of [ADA, EVE]) {
    const { customerId } = addSomeone(database, { email, credits: 50 });
    addKey(database, customerId, `Key of ${email}`);
  }
});
const browser = useBrowser();

async function ask(page: Page, question: string): Promise<void> {
  await page.goto('/dashboard/try');
  await page.getByLabel('Question').fill(question);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.waitForURL('**/dashboard/try/*');
}

function visibleQuotes(page: Page): Promise<number> {
  return page.locator('blockquote:visible').count();
}

describe('the page Try it', () => {
  it('offers each result to copy in four formats', async () => {
    const { page, context } = await browser.visit(server.url);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page, ADA);
    await ask(page, SLEEP);
    expect(await visibleQuotes(page)).toBe(5);
    await page.locator('.cite summary').first().click();
    const copy = async (format: string): Promise<string> => {
      await page
        .getByRole('button', { name: `Copy ${format}` })
        .first()
        .click();
      return (await page.evaluate('navigator.clipboard.readText()')) as string;
    };
    expect(await copy('Citation')).toMatch(/\(2026\)\. Sleep after learning/);
    expect(await copy('BibTeX')).toMatch(/^@misc\{\w+,\n {2}title = \{Sleep after learning/);
    expect(await copy('RIS')).toMatch(/^TY {2}- /);
    expect(JSON.parse(await copy('CSL-JSON'))).toMatchObject([
      { issued: { 'date-parts': [[2026]] } },
    ]);
  });

  it('says that it copied, also to screen readers, in a button of the same width', async () => {
    const { page, context } = await browser.visit(server.url);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page, ADA);
    await page.goto('/docs');
    const button = page.getByRole('button', { name: 'Copy curl' }).first();
    // What is said is gone after two seconds, so it is recorded.
    await page.evaluate(`{
      const button = document.querySelector('[data-copy=quick-curl]');
      const announcement = document.getElementById('announcement');
      window.recorded = [];
      new MutationObserver(() => {
        const { width } = button.getBoundingClientRect();
        window.recorded.push([announcement.textContent, button.innerText.trim(), width]);
      }).observe(announcement, { childList: true });
    }`);
    const width = (await button.boundingBox())?.width;
    await button.click();
    await expect
      .poll(() =>
        page.evaluate('window.recorded.map(([spoken, shown]) => [spoken, shown.split(/\\s/)[0]])'),
      )
      .toEqual([
        ['Copied.', 'Copied'],
        ['', 'Copy'],
      ]);
    expect(await page.evaluate('window.recorded.map(([, , width]) => width)')).toEqual([
      width,
      width,
    ]);
    expect(await page.locator('#announcement').getAttribute('aria-live')).toBe('polite');
  });

  it('shows the same result after Back and the same question again', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    await ask(page, SLEEP);
    const address = page.url();
    await page.goBack();
    await page.getByLabel('Question').fill(SLEEP);
    await page.getByRole('button', { name: 'Search' }).dblclick();
    await page.waitForURL('**/dashboard/try/*');
    expect(page.url()).toBe(address);
  });

  it('quotes one sentence of each paper, as it stands in the abstract', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    await ask(page, SLEEP);
    const { results } = JSON.parse((await page.locator('#response').textContent()) ?? '');
    const quotes = await page.locator('blockquote').allTextContents();
    expect(quotes).toEqual(results.map(({ q }: { q: string }) => q));
    expect(await page.locator('mark').allTextContents()).toEqual(quotes);
    const valuesOf = (selector: string) =>
      page.evaluate(`[...document.querySelectorAll('${selector}')].map((one) => one.value)`);
    expect(await valuesOf('.citation')).toEqual([1, 2, 3, 4, 5]);
    expect(await valuesOf('meter')).toEqual(results.map(({ s }: { s: number }) => s));
    // One at a time.
    for (const [language, start] of [
      ['curl', /^curl -s http.*-d '\{"query": "does sleep help memory", "limit": 5/s],
      ['TypeScript', /^const response = await fetch.*"limit": 5/s],
    ] as const) {
      await page.getByText(language, { exact: true }).first().click();
      expect(await page.locator('[name=request][open] code').allTextContents()).toEqual([
        expect.stringMatching(start),
      ]);
    }
  });

  it('says that the index has nothing close, and folds the weak results', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    await ask(page, 'zebrafish qwertz submarine treaties');
    expect(await page.getByRole('status').textContent()).toContain('has nothing close to this');
    expect(await visibleQuotes(page)).toBe(0);
    await page.getByText('Show 5 weak results').click();
    expect(await visibleQuotes(page)).toBe(5);
  });

  it('says what a paper cites and who cites it, and opens to the papers without a script', async () => {
    const { page } = await browser.visit(server.url, { isWithoutScript: true });
    await signIn(page, ADA);
    await ask(page, 'does friction delay the tide in shallow water?');
    const result = page.locator('.citation', { has: page.getByText('10.5555/delay') }).first();
    const papers = result.locator('details[open] li');
    expect(await papers.count()).toBe(0);
    await result.getByText(/^Cites 3/).click();
    expect(await papers.allTextContents()).toEqual([
      expect.stringMatching(/^Tides of the northern shore .*, Anna Berg, Bo Dahl, 2021$/),
      expect.stringMatching(/^A tide that never came, Eva Falk, 2018 +retraction$/),
      'A tide table, 1901.',
    ]);
    expect(await papers.locator('a').first().getAttribute('href')).toBe(
      'https://doi.org/10.5555/tides',
    );
    await result.getByText(/^Cited by 1/).click();
    expect(await papers.last().textContent()).toBe(
      'Phases of the moon and the height of tides, 2019',
    );
  });

  it('filters like the API, keeps what was entered, and names what is wrong', async () => {
    const { page } = await browser.visit(server.url, { isWithoutScript: true });
    await signIn(page, ADA);
    await page.goto('/dashboard/try');
    await page.getByLabel('Question').fill(SLEEP);
    await page.getByText('Options').click();
    await page.getByLabel('Year from').fill('soon');
    await page.getByRole('button', { name: 'Search' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('filter.year.from: expected');
    const yearFrom = page.getByLabel('Year from');
    expect(await yearFrom.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('#year_from-wrong').textContent()).toMatch(/^Expected an integer/);
    expect(await page.locator('[aria-invalid]').count()).toBe(1);
    expect(await page.getByLabel('Year from').inputValue()).toBe('soon');
    await page.getByLabel('Year from').fill('2027');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/dashboard/try/*');
    expect(await page.locator('.empty').textContent()).toContain('No paper passes these filters');
    expect(JSON.parse((await page.locator('#request').textContent()) ?? '')).toMatchObject({
      filter: { year: { from: 2027 } },
    });
    await page.getByLabel('Year from').fill('2026');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect.poll(() => visibleQuotes(page)).toBe(5);
    expect(await page.getByText('Options (1 filter)').count()).toBe(1);
  });
});
