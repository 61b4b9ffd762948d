/** What `verbatim start` prints, by its settings. */
import { describe, expect, it } from 'vitest';
import { firstInvitation, nextInvitation } from '../../src/commands/invitation.ts';
import { readSettings } from '../../src/settings/config.ts';

const FIRST = { secret: 'sk_live_x', linkToken: 'token-y', credits: 1000 };
const program = 'node dist/verbatim.js';

function optionsWith(overrides: Parameters<typeof readSettings>[0]) {
  return { settings: { ...readSettings(overrides, {}) }, program };
}

describe('the addresses in the invitation', () => {
  it.each([
    ['the port in use', { port: 9123 }, 'http://localhost:9123'],
    ['the public URL', { publicUrl: 'https://search.example.org/' }, 'https://search.example.org'],
  ])('use %s', (_, overrides, base) => {
    const text = firstInvitation(FIRST, optionsWith(overrides));
    expect(text.match(/https?:\S+/g)).toEqual([
      ...[base, `${base}/v1/search`, `${base}/dashboard/link?token=token-y`, `${base}/docs`],
    ]);
    expect(nextInvitation('EMAIL', optionsWith(overrides))).toContain(`is ready at ${base}\n`);
  });
});

describe('the commands in the invitation', () => {
  it('omit --db for the default database', () => {
    expect(nextInvitation('EMAIL', optionsWith({}))).toContain(`${program} key create EMAIL\n`);
  });

  it.each([
    ['/data/papers.db', '/data/papers.db'],
    ["my friend's.db", `'my friend'\\''s.db'`],
  ])('quote the database %s for a shell', (database, word) => {
    expect(nextInvitation('EMAIL', optionsWith({ database }))).toContain(
      `${program} customer link EMAIL --db ${word}\n`,
    );
  });
});
