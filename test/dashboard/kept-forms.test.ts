/** Forms that are sent after the session has ended: what was typed is there after signing in. */
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { addSomeone, inStore, PASSWORD } from '../support/history.ts';
import { createClient, signedInClient, signIn, useServer } from '../support/pages.ts';

const ADA = 'ada@example.org';
const KEYS = '/dashboard/keys';

const server = useServer((database) => {
  addSomeone(database, { email: ADA, credits: 10 });
});
const browser = useBrowser();

function endSessions(): void {
  inStore(server.database, (db) => db.prepare('DELETE FROM sessions').run());
}

describe('a form that was sent without a session', () => {
  it('leads to sign-in and back, with what was typed', async () => {
    const { page } = await browser.visit(server.url, { isWithoutScript: true });
    await signIn(page, ADA);
    await page.goto(KEYS);
    await page.getByLabel('Name').fill('Field <b>robot</b>');
    await page.getByLabel(/Monthly credit cap/).fill('250');
    endSessions();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('E-mail address').fill(ADA);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`**${KEYS}`);
    expect(await page.getByLabel('Name').inputValue()).toBe('Field <b>robot</b>');
    expect(await page.getByLabel(/Monthly credit cap/).inputValue()).toBe('250');
    expect(await page.locator('.wrong').textContent()).toContain(
      'this was not sent. Send it again',
    );
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.waitForURL('**/keys/created/*');
    // It is shown once.
    await page.goto(KEYS);
    expect(await page.getByLabel('Name').inputValue()).toBe('');
  });

  it('is shown by its own page alone, in its own browser alone, and without passwords', async () => {
    const client = await signedInClient(server.url, ADA);
    const path = '/dashboard/account/delete';
    const fields = {
      ...(await client.hidden(path)),
      email: 'typed@example.org',
      password: 'hidden',
    };
    endSessions();
    const sent = await client.post(path, fields);
    expect(sent.headers.location).toBe('/dashboard/sign-in?next=%2Fdashboard%2Faccount%2Fdelete');
    expect(client.otherCookie).toMatch(/^verbatim-kept=[\w-]{22}$/);
    const stranger = await signedInClient(server.url, ADA);
    expect((await stranger.get(path)).text).not.toContain('Send it again');
    await client.submit('/dashboard/sign-in', { email: ADA, password: PASSWORD });
    expect((await client.get(KEYS)).text).not.toContain('Send it again');
    const { status, text } = await client.get(path);
    expect([status, text.includes('Send it again'), text.includes('typed secret')]).toEqual([
      200,
      true,
      false,
    ]);
    expect((await client.get(path)).text).not.toContain('Send it again');
  });

  it('of another site is not kept', async () => {
    const client = createClient(server.url);
    const got = await client.post(KEYS, { name: 'x' }, { origin: 'https://evil.example' });
    expect([got.status, client.otherCookie]).toEqual([403, '']);
  });
});
