/** The operator's pages by the rules of axe, at four widths, light and dark, by keyboard and without script. */
import { describe, expect, it } from 'vitest';
import { overhang, runAxe } from '../../support/axe.ts';
import { useBrowser } from '../../support/browser.ts';
import { useServer } from '../../support/pages.ts';
import { PATIENT } from '../../support/patient.ts';

const server = useServer(async () => {}, { VERBATIM_OPERATOR: 'true' });
const browser = useBrowser();

const paths = ['/operator', '/operator/nothing'];

describe('every page of the operator', () => {
  it.each([{ isDark: false }, { isDark: true }])(
    'passes the checks of axe and fits: %o',
    async (look) => {
      const { page } = await browser.visit(server.service.operatorUrl, look);
      for (const path of paths) {
        await page.goto(path);
        const { violations, passes } = await runAxe(page);
        expect(passes.length, path).toBeGreaterThan(10);
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
        expect(found, path).toEqual([]);
        for (const width of [390, 768, 900, 1280]) {
          await page.setViewportSize({ width, height: 900 });
          expect(await overhang(page), `${path}, ${width} pixels`).toEqual([]);
        }
      }
    },
    120_000,
  );
});

describe('the page Now', () => {
  it('shows a value of a chart to the keyboard', async () => {
    const { page } = await browser.visit(server.service.operatorUrl);
    await page.goto('/operator');
    const bars = page.locator('#searches-chart-title').locator('..').locator('.day');
    await bars.last().focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => bars.nth(94).locator('.tip').isVisible(), PATIENT).toBe(true);
  });

  it('offers to pause what its script renews', async () => {
    const { page } = await browser.visit(server.service.operatorUrl);
    await page.goto('/operator');
    await page.getByRole('button', { name: 'Pause renewing' }).click();
    await page.getByRole('button', { name: 'Renew every 10 seconds' }).waitFor();
  });

  it('works without JavaScript', async () => {
    const { page } = await browser.visit(server.service.operatorUrl, { isWithoutScript: true });
    await page.goto('/operator');
    expect(await page.getByRole('button').count()).toBe(0);
    await page.getByText('Show as a table').click();
    expect(await page.getByRole('heading', { name: 'Latency by stage' }).isVisible()).toBe(true);
  });
});
