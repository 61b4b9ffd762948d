/** Takes pictures of the operator's pages. */
import type { Page } from 'playwright-core';
import { exampleQuestion } from '../../src/settings/example.ts';
import { EMAIL } from './fill.ts';
import type { TakePicture } from './picture.ts';

const pages = [
  ['now', '/operator'],
  ['customers', '/operator/customers'],
  ['customers-none', '/operator/customers?text=nobody'],
  ['money', '/operator/money'],
  ['audits', '/operator/money/audits'],
  ['index', '/operator/index'],
  ['questions', '/operator/questions'],
  ['trail', '/operator/trail'],
  ['account', '/operator/account'],
  ['second-factor', '/operator/account/second-factor'],
] as const;

/** `session` is the token of an operator's session. */
export async function takeOperatorPages(
  page: Page,
  take: TakePicture,
  session: string,
): Promise<void> {
  await page.goto('/operator/sign-in');
  await take('operator-sign-in');
  const url = new URL('/', page.url()).href;
  await page.context().addCookies([{ name: 'verbatim-operator-session', value: session, url }]);
  await page.goto('/operator/money/audits');
  await page.getByRole('button', { name: 'Audit now' }).click();
  await page.getByText('Everything adds up.').first().waitFor();
  for (const [what, path] of pages) {
    await page.goto(path);
    await take(`operator-${what}`);
  }
  await page.goto('/operator/explain');
  await page.getByLabel('Question').fill(exampleQuestion);
  await page.getByRole('button', { name: 'Explain' }).click();
  await page.getByText('Next best:').first().waitFor();
  await take('operator-explain');
  await page.goto('/operator/customers');
  await page.getByRole('link', { name: EMAIL }).click();
  await take('operator-customer');
  await page.locator('a[href^="/operator/keys/"]').first().click();
  await page.waitForLoadState();
  await take('operator-key');
}
