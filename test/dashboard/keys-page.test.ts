/** The page Keys: names, ends, and rotation, as a customer's programs notice them. */
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { addKey, addSomeone, inStore } from '../support/history.ts';
import { type Client, formTokenIn, signedInClient, signIn, useServer } from '../support/pages.ts';
import { postSearch } from '../support/service.ts';

const ADA = 'ada@example.org';
const LAB = 'lab@example.org';

const ada = { prefix: '', secret: '' };
const browser = useBrowser();
const server = useServer(async (database) => {
  const { customerId } = addSomeone(database, { email: ADA, credits: 500 });
  const { key, secret } = addKey(database, customerId, 'Notebook');
  Object.assign(ada, { prefix: key.prefix, secret });
  const lab = addSomeone(database, { email: LAB });
  for (let number = 101; number <= 160; number++) {
    addKey(database, lab.customerId, `Robot ${number}`);
  }
});

const statusOf = async (secret: string): Promise<number> =>
  (await postSearch(server.url, secret)).status;

/** Creates a key through its form. Returns its secret and its prefix. */
async function create(client: Client, name: string): Promise<{ secret: string; prefix: string }> {
  const sent = await client.submit('/dashboard/keys', { name, cap: '', expires: '' });
  const { text } = await client.get(String(sent.headers.location));
  return {
    secret: /sk_live_\w{38}/.exec(text)?.[0] ?? '',
    prefix: /lists this key as <code>(\w+)</.exec(text)?.[1] ?? '',
  };
}

describe('a key', () => {
  it('has a secret that is shown once, searches up to its cap, and ends when it is revoked', async () => {
    const { page, context } = await browser.visit(server.url);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page, ADA);
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByLabel('Name').fill('Lab <b>robot</b>');
    await page.getByLabel(/Monthly credit cap/).fill('2');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.waitForURL('**/dashboard/keys/created/*');
    const secret = (await page.locator('#secret').textContent()) ?? '';
    expect(secret).toMatch(/^sk_live_\w{38}$/);
    expect(await page.locator('#curl').textContent()).toContain(`Bearer ${secret}`);
    await page.getByRole('button', { name: 'Copy the secret' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    expect((await page.reload())?.status()).toBe(410);
    expect(await page.content()).not.toContain(secret);
    await page.goBack();
    expect(await page.content()).not.toContain(secret);

    for (const status of [200, 200, 402]) expect(await statusOf(secret)).toBe(status);
    const row = page.getByRole('row', { name: /Lab <b>robot/ });
    await expect
      .poll(async () => {
        await page.goto('/dashboard/keys');
        return row.textContent();
      })
      .toContain('2 of 2 credits');
    await row.getByText('Manage').click();
    await row.getByRole('link', { name: /Revoke/ }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.waitForURL('**/dashboard/keys?done=revoked');
    expect(await statusOf(secret)).toBe(401);
    await page.getByText('Revoked and expired keys (1)').click();
    const revoked = page.getByRole('table', { name: 'Revoked and expired keys' });
    expect(await revoked.textContent()).toContain('robot');
  });

  it('has a monthly cap that is set, changed, and removed', async () => {
    const own = await signedInClient(server.url, ADA);
    const { prefix } = await create(own, 'Capped');
    const path = `/dashboard/keys/${prefix}/edit`;
    for (const [cap, shown] of [
      ['700', /0 of 700 credits/],
      ['1', /0 of 1 credit\b/],
      ['', /^(?!.*\d of \d)/s],
    ] as const) {
      const saved = await own.submit(path, { name: 'Capped', cap });
      expect(saved.headers.location).toBe('/dashboard/keys?done=edited');
      const rows = (await own.get('/dashboard/keys')).text.split('<tr');
      const row = rows.find((text) => text.includes(prefix)) ?? '';
      expect(row.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')).toMatch(shown);
    }
    const wrong = await own.submit(path, { name: 'Capped', cap: 'many' });
    expect([wrong.status, wrong.text.includes('value="many"')]).toEqual([422, true]);
  });

  it('is created above the table, shows its limits, and can be renamed', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    await page.goto('/dashboard/keys');
    const order = await page.locator('h2').allTextContents();
    expect(order.indexOf('Create a key')).toBeLessThan(order.indexOf('Active keys'));
    const row = page.locator('tbody tr', { hasText: ada.prefix });
    expect(await row.textContent()).toContain('120 a minute, 8 at once');
    await row.getByText('Manage').click();
    await row.getByRole('link', { name: 'Edit Notebook' }).click();
    await page.getByLabel('Name').fill('Field notebook');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**done=edited');
    expect(await row.textContent()).toContain('Field notebook');
    expect(await statusOf(ada.secret)).toBe(200);
  });

  it('cannot have a name that misleads, or an end that is over', async () => {
    const own = await signedInClient(server.url, ADA);
    const path = `/dashboard/keys/${ada.prefix}/edit`;
    const today = new Date().toISOString().slice(0, 10);
    for (const [fields, status, said] of [
      [{ name: 'a\u202Eb', expires: '' }, 400, 'no control characters'],
      [{ name: ' ', expires: '' }, 400, '1 to 100 characters'],
      [{ name: 'a', expires: '2020-01-01' }, 422, '2020-01-01 is over'],
      [{ name: 'a', expires: 'soon' }, 422, '“soon” is not a day'],
      [{ name: 'Field notebook', expires: today }, 303, ''],
      [{ name: 'Field notebook', expires: '' }, 303, ''],
    ] as const) {
      const got = await own.submit(path, fields);
      expect([got.status, got.text.includes(said)], JSON.stringify(fields)).toEqual([status, true]);
    }
    const sent = { name: 'Short', cap: '', expires: '2020-01-01' };
    const refused = await own.submit('/dashboard/keys', sent);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('2020-01-01 is over');
    expect(refused.text).toContain('value="Short"');
  });

  it('that has expired gets the answer of a revoked one', async () => {
    const own = await signedInClient(server.url, ADA);
    const { secret, prefix } = await create(own, 'Expiring');
    expect(await statusOf(secret)).toBe(200);
    inStore(server.database, (db) =>
      db.prepare('UPDATE api_keys SET expires_at = 1 WHERE prefix = ?').run(prefix),
    );
    const got = await postSearch(server.url, secret);
    expect([got.status, await got.text()]).toEqual([401, 'invalid or revoked api key']);
    const { text } = await own.get('/dashboard/keys?state=ended');
    expect(text).toContain('>expired</span>');
    expect((await own.get(`/dashboard/keys/${prefix}/edit`)).status).toBe(404);
  });
});

describe('rotation', () => {
  it('shows a new secret once; both work, and the page says until when', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    const own = await signedInClient(server.url, ADA);
    const { secret, prefix } = await create(own, 'Rotated');
    await page.goto(`/dashboard/keys/${prefix}/rotate`);
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await page.waitForURL('**/keys/created/*');
    expect(await page.getByRole('status').textContent()).toMatch(/old secret works until .* UTC/);
    const rotated = String(await page.locator('#secret').textContent()).trim();
    expect(rotated).not.toBe(secret);
    expect([await statusOf(secret), await statusOf(rotated)]).toEqual([200, 200]);
    const row = page.locator('tbody tr', { hasText: 'Rotated' });
    // The charges are written a moment after their answers.
    const searches = async (): Promise<string[]> => {
      await page.goto('/dashboard/keys');
      return row.locator('td.end').allTextContents();
    };
    await expect.poll(searches).toEqual(['2', '2']);
    expect(await row.textContent()).toMatch(new RegExp(`old secret ${prefix} works until`));
  });

  it('of one form twice, and of two forms at once, leaves one working key', async () => {
    const own = await signedInClient(server.url, ADA);
    const { secret, prefix } = await create(own, 'Twice');
    const path = `/dashboard/keys/${prefix}/rotate`;
    const token = formTokenIn((await own.get(path)).text);
    const fields = { form_token: token, form_copy: crypto.randomUUID(), grace: '0' };
    const sent = await Promise.all([own.post(path, fields), own.post(path, fields)]);
    expect(sent.map(({ status }) => status)).toEqual([303, 303]);
    expect(sent[0]?.headers.location).toBe(sent[1]?.headers.location);
    const { text } = await own.get(String(sent[0]?.headers.location));
    expect(text).toContain('The old secret no longer works.');
    expect(await statusOf(secret)).toBe(401);
    expect(await statusOf(/sk_live_\w{38}/.exec(text)?.[0] ?? '')).toBe(200);
    // The old prefix is that of a key that was rotated.
    const other = { ...fields, form_copy: crypto.randomUUID() };
    const late = await own.post(path, other);
    expect([late.status, late.headers['x-error-code']]).toEqual([409, 'form_sent']);
    expect((await own.get(path)).status).toBe(404);
  });

  it('needs a period that the form offers', async () => {
    const own = await signedInClient(server.url, ADA);
    const got = await own.submit(`/dashboard/keys/${ada.prefix}/rotate`, { grace: '9999d' });
    expect([got.status, got.text.includes('Choose one of the periods.')]).toEqual([422, true]);
    expect(await statusOf(ada.secret)).toBe(200);
  });
});

describe('many keys', () => {
  it('are found by name and prefix, sorted, and shown by pages, with a menu in each row', async () => {
    const { page } = await browser.visit(server.url, { isWithoutScript: true });
    await signIn(page, LAB);
    await page.goto('/dashboard/keys');
    const rows = page.locator('tbody tr');
    expect(await rows.count()).toBe(50);
    expect(await rows.getByRole('link').count()).toBe(0);
    await page.getByLabel('Sort by').selectOption('Name');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('Page 2 of 2').waitFor();
    expect(page.url()).toContain('sort=name&page=2');
    expect(await rows.locator('.name').allTextContents()).toEqual(
      Array.from({ length: 10 }, (_, at) => `Robot ${151 + at}`),
    );
    const prefix = (await rows.last().locator('code').textContent()) ?? '';
    await page.getByLabel('Name or prefix').fill(prefix);
    await page.getByRole('button', { name: 'Filter' }).click();
    await expect.poll(() => rows.locator('.name').allTextContents()).toEqual(['Robot 160']);
    await rows.getByText('Manage Robot 160').click();
    expect(await rows.getByRole('link').allTextContents()).toEqual([
      'Edit Robot 160',
      'Rotate Robot 160',
      'Revoke Robot 160',
    ]);
    await page.getByLabel('Name or prefix').fill('nobody');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('No key has this name or prefix.').waitFor();
  });

  it('are shown whatever an address asks for', async () => {
    const own = await signedInClient(server.url, LAB);
    for (const [query, first] of [
      ['page=99', 'Robot 151'],
      ['page=-1', 'Robot 101'],
      ['page=x&sort=constructor&state=no', 'Robot 101'],
      ['q=ROBOT+15', 'Robot 150'],
      ['sort=usage&q=robot', 'Robot 101'],
    ]) {
      const { status, text } = await own.get(`/dashboard/keys?${query}`);
      const [, shown] = /<bdi class="name">(.*?)</.exec(text) ?? [];
      expect([status, shown], query).toEqual([200, first]);
    }
  });
});
