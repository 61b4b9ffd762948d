import { describe, expect, it } from 'vitest';
import { createPasswordHasher } from '../../src/accounts/password-hash.ts';
import { readSettings } from '../../src/settings/config.ts';
import { PASSWORD } from '../support/account-world.ts';

describe('a password hash', () => {
  const hasher = createPasswordHasher(readSettings({}, {}));

  it('matches only its password, with a new salt each time', async () => {
    const [first, second] = await Promise.all([hasher.hash(PASSWORD), hasher.hash(PASSWORD)]);
    expect(first).not.toBe(second);
    expect(first).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
    const fits = [PASSWORD, `${PASSWORD} `, PASSWORD.toUpperCase(), ''];
    expect(await Promise.all(fits.map((text) => hasher.verify(text, first)))).toEqual([
      ...[true, false, false, false],
    ]);
  });

  it('matches the same characters typed as other code points', async () => {
    const stored = await hasher.hash('Café Zürich Ångström');
    expect(await hasher.verify('Café Zürich Ångström'.normalize('NFD'), stored)).toBe(true);
  });

  it('matches nothing if it is missing', async () => {
    expect(await Promise.all(['', PASSWORD].map((text) => hasher.verify(text, null)))).toEqual([
      ...[false, false],
    ]);
  });

  it('leaves the event loop free', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await hasher.hash(PASSWORD);
    clearInterval(timer);
    // None where the hash is computed in this thread, however fast that is.
    expect(turns).toBeGreaterThan(0);
  });
});
