/** Where pages send people to the operator, they say how; and they show no command of theirs. */
import { describe, expect, it } from 'vitest';
import { addSomeone } from '../support/history.ts';
import { createClient, signedInClient, useServer } from '../support/pages.ts';

const ADA = 'ada@example.org';
const server = useServer(
  async (database) => {
    addSomeone(database, { email: ADA });
  },
  { VERBATIM_OPERATOR_CONTACT: 'https://example.org/help?topic=<search>' },
);

const LINK =
  '<a href="https://example.org/help?topic=%3Csearch%3E" rel="noreferrer">example.org/help</a>';

describe('the contact of the operator', () => {
  it.each(['/', '/dashboard/sign-in', '/dashboard/reset-password'])(
    'is where %s says to ask the operator',
    async (path) => {
      const { text } = await createClient(server.url).get(path);
      expect(text).toMatch(/Ask the operator of this service for [\w ]+: <a href="https:/);
      expect(text).toContain(LINK);
    },
  );

  it('is on the page Top up, without the command of the operator', async () => {
    const { text } = await (await signedInClient(server.url, ADA)).get('/dashboard/billing');
    expect(text).toContain(`Ask the operator of this service for credits: ${LINK}`);
    expect(text).not.toContain('verbatim credit');
  });

  it('is at the foot of every page', async () => {
    for (const path of ['/docs', '/dashboard/nothing', '/dashboard/link?token=none']) {
      expect((await createClient(server.url).get(path)).text, path).toContain(`Operator: ${LINK}`);
    }
  });

  it('is in /.well-known/security.txt, for less than a year', async () => {
    const got = await createClient(server.url).get('/.well-known/security.txt');
    expect(got.headers['content-type']).toBe('text/plain; charset=utf-8');
    const [, contact, expires = ''] = /^Contact: (.+)\nExpires: (.+)\n$/.exec(got.text) ?? [];
    expect(contact).toContain('https://example.org/help');
    const days = (Date.parse(expires) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(30);
    expect(days).toBeLessThan(365);
  });
});
