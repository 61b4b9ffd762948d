/** Strangers who guess passwords and ask for links, so that the owner of an account cannot sign in. */
import { describe, expect, it } from 'vitest';
import { addSomeone, PASSWORD } from '../support/history.ts';
import { withLimits } from '../support/limits.ts';
import {
  type Client,
  createClient,
  formTokenIn,
  signedInClient,
  useServer,
} from '../support/pages.ts';

const ADA = 'ada@example.org';
const EVE = 'eve@example.org';
const STRANGERS = 1_000;

const server = useServer(
  async (database) => {
    addSomeone(database, { email: ADA });
    addSomeone(database, { email: EVE });
  },
  // As behind a proxy, so that a test comes from as many addresses as it likes. Hashes take their time.
  { VERBATIM_PROXIES_TRUSTED: '1', ...withLimits({ passwordHashDoublings: 13 }) },
);

interface Guess {
  client: Client;
  token: string;
  address: string;
  password?: string;
}

async function guess({ client, token, address, password = 'wrong' }: Guess): Promise<number> {
  const fields = { form_token: token, email: ADA, password };
  const got = await client.post('/dashboard/sign-in', fields, { 'x-forwarded-for': address });
  return got.status;
}

/** A visitor with a form, who can send it as often as they like. */
async function visit(cookies: Pick<Client, 'browserCookie'> = { browserCookie: '' }) {
  const client = createClient(server.url, '', cookies.browserCookie);
  const token = formTokenIn((await client.get('/dashboard/sign-in')).text);
  return { client, token };
}

describe('an owner', () => {
  it('signs in with a known browser during 1,000 failed sign-ins from elsewhere', async () => {
    const own = await signedInClient(server.url, ADA);
    await own.submit('/dashboard/sign-out', {}, '/dashboard/account');
    const stranger = await visit();
    const statuses: number[] = [];
    const ownStatuses: number[] = [];
    for (let sent = 0; sent < STRANGERS; sent += 50) {
      const batch = Array.from({ length: 50 }, (_, i) => {
        const n = sent + i;
        // Also from the owner's own address, as somebody in the same network does.
        const address = n % 2 === 0 ? '192.0.2.7' : `203.0.${n >> 8}.${n & 255}`;
        return guess({ ...stranger, address });
      });
      const home = await visit(own);
      ownStatuses.push(await guess({ ...home, address: '192.0.2.7', password: PASSWORD }));
      statuses.push(...(await Promise.all(batch)));
    }
    expect(ownStatuses).toEqual(Array(STRANGERS / 50).fill(303));
    // 401: tried and wrong. 429 and 503: not tried.
    expect(new Set(statuses)).toEqual(new Set([401, 429, 503]));
    const tried = statuses.filter((status) => status === 401).length;
    expect(tried).toBeLessThan(STRANGERS / 5);
    // The right password does not help an unknown browser.
    const unknown = await visit();
    expect(await guess({ ...unknown, address: '192.0.2.7', password: PASSWORD })).toBe(429);
  });

  it('gets the known-browser cookie by signing in and loses it by signing out everywhere', async () => {
    const own = createClient(server.url);
    const refused = await own.submit('/dashboard/sign-in', { email: ADA, password: 'wrong' });
    // Strangers' tries are forgotten after a while, which the test before may have outlasted.
    expect([401, 429]).toContain(refused.status);
    expect(own.browserCookie).toBe('');
    const known = await signedInClient(server.url, EVE);
    expect(known.browserCookie).toMatch(/^verbatim-browser=[\w.-]+$/);
    // It is not a session.
    const visitor = createClient(server.url, '', known.browserCookie);
    expect((await visitor.get('/dashboard')).status).toBe(303);
    await known.submit('/dashboard/account/sign-out-everywhere', {}, '/dashboard/account');
    expect(known.browserCookie).toBe('');
  });
});
