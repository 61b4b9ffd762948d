/** An authenticator app of a few lines, and people who set it up. */
import type { Page } from 'playwright-core';
import { codeAt, stepAt } from '../../src/accounts/totp.ts';
import { PASSWORD } from './history.ts';

/** Decodes a setup key, as it is shown. */
export function secretOf(setUpKey: string): Buffer {
  const bits = [...setUpKey.replace(/\s/g, '')]
    .map((one) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/**
 * The code of an app now, or of a later step. Codes count one step before their time, so a test that
 * needs two codes need not wait.
 */
export function codeOf(secret: Uint8Array, skew = 0): string {
  return codeAt(secret, stepAt(Date.now()) + skew);
}

/** Confirms a setup that the page shows, first with a wrong code. Uses up the current code. */
export async function confirmSetUp(
  page: Page,
  onWrong: () => Promise<void> = async () => {},
): Promise<{ secret: Buffer; codes: string[] }> {
  const secret = secretOf((await page.locator('#setup-key').textContent()) ?? '');
  await page.getByLabel('Code from the app').fill('12345');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.locator('.wrong').waitFor();
  await onWrong();
  await page.getByLabel('Code from the app').fill(codeOf(secret));
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.waitForURL('**/recovery-codes/*');
  const shown = (await page.locator('#recovery-codes').textContent()) ?? '';
  return { secret, codes: shown.split('\n') };
}
