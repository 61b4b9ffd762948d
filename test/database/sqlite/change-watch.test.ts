import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/database/open.ts';
import {
  type ChangeWatch,
  createChangeWatch,
  keepUntilChange,
} from '../../../src/database/sqlite/change-watch.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { temporaryFolder } from '../../support/accounts.ts';

describe('a watch for changes', () => {
  let own: Connection;
  let other: Connection;
  let watch: ChangeWatch;

  beforeEach(() => {
    const path = join(temporaryFolder(), 'watched.db');
    [own, other] = [0, 1].map(() => openStore({ path, lockWaitMs: 1_000 })) as [
      Connection,
      Connection,
    ];
    own.exec('CREATE TABLE numbers (value INTEGER)');
    watch = createChangeWatch(own);
  });
  afterEach(() => {
    own.close();
    other.close();
  });

  const add = (db: Connection, value: number): void => {
    db.prepare('INSERT INTO numbers VALUES (?)').run(value);
  };

  it('keeps its version while nothing changes', async () => {
    const version = watch.version();
    await nextTurn();
    expect(watch.version()).toBe(version);
  });

  it.each(['own', 'other'] as const)(
    'has another version after a change by the %s connection',
    async (name) => {
      const version = watch.version();
      add(name === 'own' ? own : other, 1);
      await nextTurn();
      expect(watch.version()).not.toBe(version);
    },
  );

  it('looks once per turn of the event loop', async () => {
    const version = watch.version();
    add(other, 1);
    expect(watch.version()).toBe(version);
    await nextTurn();
    expect(watch.version()).not.toBe(version);
  });

  it('lets a reader keep as many values as it may, until a change', async () => {
    const read: string[] = [];
    const reader = keepUntilChange(
      (key: string) => {
        read.push(key);
        return key === 'unknown' ? undefined : key.length;
      },
      { watch, keptMax: 2 },
    );
    const readAll = (): unknown[] => ['a', 'bb', 'ccc', 'unknown'].map(reader);
    expect(readAll()).toEqual([1, 2, 3, undefined]);
    await nextTurn();
    expect(readAll()).toEqual([1, 2, 3, undefined]);
    expect(read).toEqual(['a', 'bb', 'ccc', 'unknown', 'ccc', 'unknown']);
    add(other, 1);
    await nextTurn();
    read.length = 0;
    readAll();
    expect(read).toEqual(['a', 'bb', 'ccc', 'unknown']);
  });
});
