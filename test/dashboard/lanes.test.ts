/** The page Try it where the index has nothing close: a provider on loopback, as arXiv answers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { addKey, addSomeone } from '../support/history.ts';
import { feedOf } from '../support/lanes/arxiv-stub.ts';
import { type StubServer, startStub } from '../support/lanes/stub-server.ts';
import { signIn, useServer } from '../support/pages.ts';

const ADA = 'ada@example.org';
const FOREIGN = 'how do sourdough starters resist spoilage moulds';
const LOCAL = 'cells that were active together on a maze fire together again during later sleep';
const QUOTE = 'Sourdough starters resist spoilage moulds by making acetic acid.';

let arxiv: StubServer;
beforeAll(async () => {
  const entry = {
    id: 'http://arxiv.org/abs/2401.00001v1',
    title: 'Moulds &lt;b&gt;on bread',
    summary: `Bread spoils. ${QUOTE}`,
    more: '<author><name>A. Berg</name></author>',
  };
  arxiv = await startStub(feedOf([entry]));
});
afterAll(() => arxiv.close());
const server = useServer(
  (database) => {
    const { customerId } = addSomeone(database, { email: ADA, credits: 20 });
    addKey(database, customerId, 'Notebook');
  },
  () => ({
    VERBATIM_LANES: 'arxiv',
    VERBATIM_LANE_CONTACT: 'test@example.org',
    VERBATIM_ARXIV_URL: arxiv.url,
  }),
);
const browser = useBrowser();

describe('the lanes setting', () => {
  it('is on the account page and the key page, and takes effect at once', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    const box = (name: RegExp) => page.getByRole('checkbox', { name });
    const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
    const sources = async (): Promise<string[]> => {
      await page.goto('/dashboard/try');
      await page.getByLabel('Question').fill(FOREIGN);
      await page.getByRole('button', { name: 'Search' }).click();
      await page.waitForURL('**/try/*');
      const answer = JSON.parse((await page.locator('#response').textContent()) ?? '');
      return answer.results.map(({ src }: { src: string }) => src);
    };

    await page.goto('/dashboard/account');
    expect(await box(/./).count()).toBe(3);
    for (const name of [/^arXiv/, /^Semantic Scholar/, /^Web lane/]) {
      expect(await box(name).isChecked()).toBe(true);
    }
    await box(/^arXiv/).uncheck();
    await save();
    await page.waitForURL('**/account?done=saved');
    expect(await box(/^arXiv/).isChecked()).toBe(false);
    expect(await sources()).not.toContain('arxiv');

    await page.goto('/dashboard/account');
    await box(/^arXiv/).check();
    await save();
    await page.waitForURL('**/account?done=saved');
    await page.goto('/dashboard/keys');
    await page.getByText('Manage Notebook').click();
    await page.getByRole('link', { name: 'Edit Notebook' }).click();
    for (const name of [/^arXiv/, /^Semantic Scholar/, /^Web lane/]) await box(name).uncheck();
    await save();
    await page.waitForURL('**/keys?done=edited');
    expect(await sources()).not.toContain('arxiv');

    await page.goto('/dashboard/keys');
    await page.getByText('Manage Notebook').click();
    await page.getByRole('link', { name: 'Edit Notebook' }).click();
    expect(await box(/^arXiv/).isChecked()).toBe(false);
    await box(/^arXiv/).check();
    await save();
    await page.waitForURL('**/keys?done=edited');
    expect(await sources()).toContain('arxiv');
  });
});

describe('a search that was tried', () => {
  it('names the lane of a sentence, links to the paper, and costs one credit', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    const search = async (query: string): Promise<void> => {
      await page.goto('/dashboard/try');
      await page.getByLabel('Question').fill(query);
      await page.getByRole('button', { name: 'Search' }).click();
      await page.waitForURL('**/try/*');
    };
    await search(FOREIGN);
    const first = page.locator('.citation').first();
    expect(await first.locator('blockquote').textContent()).toBe(QUOTE);
    expect(await first.locator('.source').textContent()).toMatch(
      /^Moulds.*on bread, A\. Berg, 2024\. arXiv:2401\.00001, score +[\d.]+( [a-z ]+ answers?)? from arXiv$/,
    );
    expect(await first.locator('.source a').getAttribute('href')).toBe(
      'https://arxiv.org/abs/2401.00001',
    );
    expect(await first.locator('mark').textContent()).toBe(QUOTE);
    const answer = JSON.parse((await page.locator('#response').textContent()) ?? '');
    expect(answer.results[0]).toMatchObject({ d: 'arXiv:2401.00001', src: 'arxiv' });
    expect(await page.locator('.chip').textContent()).toMatch(/^1\d credits/);

    await search(LOCAL);
    expect(await page.locator('.source').first().textContent()).toMatch(
      /, score +[\d.]+( [a-z ]+ answers?)?$/,
    );
    expect(await page.locator('.source').first().textContent()).not.toContain('from');
  });
});
