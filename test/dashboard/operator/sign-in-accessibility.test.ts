/** Operators' own pages by the rules of axe. */
import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { secretOf } from '../../support/authenticator.ts';
import { expectAccessible } from '../../support/axe.ts';
import { useBrowser } from '../../support/browser.ts';
import { PASSWORD } from '../../support/history.ts';
import { addLinkedOperator, operatorCode } from '../../support/operators.ts';
import { useServer } from '../../support/pages.ts';

const server = useServer(async () => {});
const browser = useBrowser();

async function enroll(page: Page, email: string): Promise<Buffer> {
  await page.goto(addLinkedOperator(server.database, email));
  await expectAccessible(page, 'a link');
  const secret = secretOf((await page.locator('#setup-key').textContent()) ?? '');
  const fill = async (code: string) => {
    await page.getByLabel('Code from the app').fill(code);
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm new password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Save and sign in' }).click();
  };
  await fill('none');
  await page.locator('.wrong').waitFor();
  await expectAccessible(page, 'a link with a wrong code');
  await fill(operatorCode({ secret }));
  await page.waitForURL('**/recovery-codes/*');
  await expectAccessible(page, 'recovery codes');
  await page.reload();
  await expectAccessible(page, 'recovery codes that are gone');
  return secret;
}

describe('the own pages of operators', () => {
  it('pass the checks of axe and fit', async () => {
    const { page } = await browser.visit(server.url);
    const email = 'an.operator.with.a.long.address@department.university.example.org';
    await enroll(page, email);
    for (const path of ['account', 'account/second-factor', 'account/recovery-codes', 'trail']) {
      await page.goto(`/operator/${path}`);
      await expectAccessible(page, path);
    }
    await page.goto('/operator/account/recovery-codes');
    await page.getByLabel('Code').fill('wrong');
    await page.getByRole('button', { name: 'Create new codes' }).click();
    await page.locator('.wrong').waitFor();
    await expectAccessible(page, 'a code that was refused');
    await page.context().clearCookies();
    await page.goto('/operator/link?token=none');
    await expectAccessible(page, 'a link that is over');
    await page.goto('/operator');
    await expectAccessible(page, 'the sign-in');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill('wrong');
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await expectAccessible(page, 'a sign-in that was refused');
  }, 120_000);
});
