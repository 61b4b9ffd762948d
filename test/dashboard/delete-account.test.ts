/** The end of an account in a browser, without JavaScript, and what others may not do. */
import { describe, expect, it } from 'vitest';
import { auditLedger } from '../../src/accounts/sqlite/ledger/audit.ts';
import { useBrowser } from '../support/browser.ts';
import { addKey, addSomeone, inStore, PASSWORD } from '../support/history.ts';
import { createClient, formTokenIn, signedInClient, signIn, useServer } from '../support/pages.ts';
import { postSearch } from '../support/service.ts';

const ADA = 'ada@example.org';
const EVE = 'eve@example.org';
const DEBTOR = 'debtor@example.org';
const PATH = '/dashboard/account/delete';

let secret = '';
const server = useServer(async (database) => {
  const { customerId } = addSomeone(database, { email: ADA, credits: 5 });
  ({ secret } = addKey(database, customerId, 'Agent'));
  addSomeone(database, { email: EVE, credits: 7 });
  const debtor = addSomeone(database, { email: DEBTOR });
  inStore(database, (db) => {
    db.prepare('UPDATE customers SET balance = -3 WHERE id = ?').run(debtor.customerId);
  });
});
const browser = useBrowser();

describe('deleting the account', () => {
  it('is refused while the account owes credits, and says why', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, DEBTOR);
    await page.goto(PATH);
    expect(await page.getByRole('status').textContent()).toContain('owes 3 credits');
    expect(await page.getByRole('button', { name: 'Delete the account' }).count()).toBe(0);
    const client = await signedInClient(server.url, DEBTOR);
    const fields = { password: PASSWORD, credits: '-3', give_up: 'yes' };
    const sent = await client.submit(PATH, fields, '/dashboard/account');
    expect([sent.status, sent.headers['x-error-code']]).toEqual([409, 'account_kept']);
  });

  it('needs the password, and the credit that was seen', async () => {
    const eve = await signedInClient(server.url, EVE);
    const page = (await eve.get(PATH)).text;
    expect(page).toContain('I give up the 7 credits of this account.');
    const token = formTokenIn(page);
    for (const [fields, code] of [
      [{ password: 'wrong', credits: '7', give_up: 'yes' }, 'wrong_sign_in'],
      [{ password: PASSWORD, credits: '7' }, 'bad_request'],
      [{ password: PASSWORD, credits: '6', give_up: 'yes' }, 'credit_changed'],
      [{ password: PASSWORD, credits: '0' }, 'credit_changed'],
      [{ password: PASSWORD, credits: 'x', give_up: 'yes' }, 'credit_changed'],
      [{ password: PASSWORD }, 'credit_changed'],
    ] as const) {
      const sent = await eve.post(PATH, { form_token: token, ...fields });
      expect(sent.headers['x-error-code'], JSON.stringify(fields)).toBe(code);
    }
    expect((await eve.get('/dashboard')).status).toBe(200);
  });

  it('stops the keys at once, and frees the address', async () => {
    expect((await postSearch(server.url, secret)).status).toBe(200);
    const { page } = await browser.visit(server.url, { isWithoutScript: true });
    await signIn(page, ADA);
    await expect
      .poll(async () => {
        await page.goto(PATH);
        return await page.locator('main').textContent();
      })
      .toContain('I give up the 4 credits');
    await page.getByRole('checkbox').check();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Delete the account' }).click();
    await page.waitForURL('**done=deleted');
    expect(await page.getByRole('status').textContent()).toBe('The account is deleted.');
    expect((await postSearch(server.url, secret)).status).toBe(401);
    expect(server.service.log.map(({ event }) => event)).toContain('account_deleted');
    const again = createClient(server.url);
    const refused = await again.submit('/dashboard/sign-in', { email: ADA, password: PASSWORD });
    expect(refused.status).toBe(401);
    const { differences } = inStore(server.database, auditLedger);
    // The debt of this test came without an entry.
    expect(differences.filter((text) => !text.includes('the balance is -3'))).toEqual([]);
    addSomeone(server.database, { email: ADA });
    await signedInClient(server.url, ADA);
  });
});
