/** The files of a new database. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/database/open.ts';
import { lockForServing } from '../../src/database/sqlite/process-lock.ts';
import { temporaryFolder } from '../support/accounts.ts';

const folder = temporaryFolder();

describe('a new database', () => {
  it('can be read by its owner only, as can the files beside it', async () => {
    const path = join(folder, 'new.db');
    const db = openStore({ path, lockWaitMs: 0 });
    const unlock = await lockForServing(path);
    const modes = readdirSync(folder).map((name) => [
      name,
      statSync(join(folder, name)).mode & 0o777,
    ]);
    expect(Object.fromEntries(modes)).toEqual({
      'new.db': 0o600,
      'new.db-wal': 0o600,
      'new.db-shm': 0o600,
      'new.db-lock': 0o600,
    });
    unlock();
    db.close();
  });

  it('leaves no file if it is in memory', () => {
    openStore({ path: ':memory:', lockWaitMs: 0 }).close();
    expect(existsSync(':memory:')).toBe(false);
  });
});
