/** Published copies: what is in them, what is not, and what a failed publisher leaves. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../src/database/open.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import {
  copyPaths,
  latestPath,
  listCopies,
  readLatest,
} from '../../../src/index/copies/copy-folder.ts';
import { indexTables } from '../../../src/index/copies/copy-tables.ts';
import { lockFolder } from '../../../src/index/copies/lock-folder.ts';
import { openCopy } from '../../../src/index/copies/open-copy.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { rowsOf } from '../../support/accounts.ts';
import { emptyIndex, expectSound, toyIndexed } from '../memory-index.ts';
import { addSecrets, type CopiesWorld, createCopiesWorld, overwrite } from './copies-world.ts';

const SCHEMA = '../../../src/database/schema/sqlite/index.sql';

/** Opens the newest copy of a folder; it is closed after the test. */
function openNewest(folder: string): Connection {
  const path = copyPaths(folder, readLatest(folder)).database;
  const db = openCopy({ path, lockWaitMs: 0 });
  onTestFinished(() => {
    db.close();
  });
  return db;
}

/** Expects that the newest copy has the same rows as the database, and is sound. */
function expectSameIndex({ db, published }: CopiesWorld): void {
  const copy = openNewest(published);
  const tables = indexTables.flatMap((table) =>
    table === 'documents_text'
      ? ['documents_text_data', 'documents_text_idx', 'documents_text_config']
      : [table],
  );
  for (const table of tables) {
    const read = `SELECT * FROM ${table} ORDER BY 1, 2`;
    expect(rowsOf(copy, read), table).toEqual(rowsOf(db, read));
  }
  // The check of the full text writes, so it needs a file of its own.
  const path = `${published}-checked.db`;
  copyFileSync(copyPaths(published, readLatest(published)).database, path);
  const checked = new Database(path);
  expectSound(checked);
  checked.close();
}

describe('a published copy', () => {
  it('has the tables of the index alone, all of them', async () => {
    const world = await createCopiesWorld(3);
    await world.publish();
    const names =
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'";
    const tables = openNewest(world.published).prepare(names).pluck().all() as string[];
    const own = tables.filter((name) => !name.startsWith('documents_text_'));
    expect(own.sort()).toEqual([...indexTables].sort());
    const room = new Database(':memory:');
    room.exec(readFileSync(resolve(import.meta.dirname, SCHEMA), 'utf8'));
    const expected = room.prepare(names).pluck().all() as string[];
    room.close();
    expect(tables.sort()).toEqual(expected.sort());
  });

  it('has nothing of a customer, in no table and in no byte', async () => {
    const world = await createCopiesWorld(50);
    const secrets = addSecrets(world.db);
    expect(secrets.length).toBeGreaterThanOrEqual(9);
    // Rows that were deleted leave their bytes in unused pages.
    world.db.exec('DELETE FROM lane_answers; DELETE FROM sessions');
    world.db.pragma('wal_checkpoint(TRUNCATE)');
    await world.publish();
    world.add(51, 50);
    world.remove(7);
    await world.publish();
    const bytes = world.newestBytes(world.published);
    for (const secret of secrets) expect(bytes.includes(secret), secret.toString()).toBe(false);
    const copy = openNewest(world.published);
    const tables = copy
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .all() as string[];
    for (const table of tables) {
      const text = JSON.stringify(rowsOf(copy, `SELECT * FROM ${table}`));
      for (const secret of secrets) expect(text, table).not.toContain(secret.toString());
    }
  });

  it('has the same rows as the index, after any changes', async () => {
    const world = await createCopiesWorld(300);
    await world.publish();
    expectSameIndex(world);
    world.add(301, 500);
    for (const number of [1, 2, 150, 300, 301]) world.remove(number);
    await world.publish();
    expectSameIndex(world);
    world.remove(9);
    // An id that moves to a lower number, and one that moves to a higher one.
    world.add(1, 2);
    await world.publish();
    expectSameIndex(world);
  });

  it('changes few pieces if little has changed, and none if nothing has', async () => {
    const world = await createCopiesWorld(3500);
    const first = await world.publish();
    expect(first.manifest.pieces.length).toBeGreaterThanOrEqual(3);
    expect(first.newBytes).toBe(first.manifest.bytes);
    world.add(3501, 1);
    const second = await world.publish();
    expect(second.newBytes).toBeGreaterThan(0);
    expect(second.newBytes).toBeLessThan(second.manifest.bytes);
  });

  it('is the one from before if nothing has changed', async () => {
    const world = await createCopiesWorld(50);
    const first = await world.publish();
    const { ino } = statSync(copyPaths(world.published, first.name).database);
    const again = await world.publish();
    expect(again).toMatchObject({ ...first, isNew: false, newBytes: 0 });
    expect(readdirSync(join(world.published, 'versions'))).toEqual([first.name]);
    expect(statSync(copyPaths(world.published, first.name).database).ino).toBe(ino);
    writeFileSync(latestPath(world.published), '{"copy":');
    expect(await world.publish()).toMatchObject({ name: first.name, isNew: false });
    expect(readLatest(world.published)).toBe(first.name);
  });

  it.each<[what: string, damage: (world: CopiesWorld) => void, found: RegExp]>([
    [
      'its file',
      (world) =>
        overwrite(copyPaths(world.published, readLatest(world.published)).database, 40_960),
      /bytes 0 to \d+ are not those of its manifest/,
    ],
    [
      'the first page of its file',
      (world) => overwrite(copyPaths(world.published, readLatest(world.published)).database, 0),
      /bytes 0 to \d+ are not those of its manifest/,
    ],
    [
      'its manifest',
      (world) => overwrite(copyPaths(world.published, readLatest(world.published)).manifest, 5, 9),
      /manifest\.json has the format undefined/,
    ],
  ])('is written anew if %s was damaged', async (_what, damage, found) => {
    const world = await createCopiesWorld(200);
    const first = await world.publish();
    damage(world);
    const second = await world.publish();
    expect(second.damage).toEqual([expect.stringMatching(found)]);
    expect(second).toMatchObject({ isNew: true, newBytes: second.manifest.bytes });
    expect(second.name).not.toBe(first.name);
    expectSameIndex(world);
    await world.pull();
    expect(world.newestBytes(world.local).equals(world.newestBytes(world.published))).toBe(true);
  });

  it('is the index at one moment, whatever is written meanwhile', async () => {
    const world = await createCopiesWorld(200);
    const other = emptyIndex(world.database);
    const writer = createIndexWriter(other);
    let written = 0;
    await world.publish({
      beforeStep() {
        // The first step begins the snapshot.
        writer.write([toyIndexed({ id: `meanwhile-${written++}`, title: 'Late tides' })]);
      },
    });
    expect(written).toBeGreaterThan(10);
    const copy = openNewest(world.published);
    const count = copy.prepare('SELECT count(*) FROM documents').pluck().get();
    expect(count).toBe(201);
    const path = `${world.published}-checked.db`;
    copyFileSync(copyPaths(world.published, readLatest(world.published)).database, path);
    const checked = new Database(path);
    expectSound(checked);
    checked.close();
  });

  it('cannot be served as a database with accounts', async () => {
    const world = await createCopiesWorld(3);
    const { name } = await world.publish();
    const path = copyPaths(world.published, name).database;
    expect(() => openStore({ path, lockWaitMs: 0 })).toThrow('copy of an index without accounts');
  });

  it('starts anew if the tables of the index have changed', async () => {
    const world = await createCopiesWorld(20);
    await world.publish();
    world.db.exec('ALTER TABLE documents ADD COLUMN later TEXT');
    const { manifest, newBytes } = await world.publish();
    expect(newBytes).toBe(manifest.bytes);
    expectSameIndex(world);
  });
});

describe('a folder of copies', () => {
  it('keeps the newest copies', async () => {
    const world = await createCopiesWorld(3);
    const names: string[] = [];
    for (let count = 0; count < 4; count++) {
      names.push((await world.publish({ keep: 2 })).name);
      world.add(4 + count, 1);
    }
    expect(listCopies(world.published)).toEqual(names.slice(2));
    expect(readLatest(world.published)).toBe(names[3]);
    await world.publish({ keep: 1 });
    expect(listCopies(world.published)).toHaveLength(1);
  });

  it('is as before after a publisher failed in any step', async () => {
    const world = await createCopiesWorld(20);
    const { name } = await world.publish();
    world.add(21, 5);
    let steps = 0;
    await world.publish({ beforeStep: () => void steps++, keep: 9 });
    const latest = readLatest(world.published);
    for (let failing = 0; failing < steps; failing += 3) {
      let left = failing;
      const beforeStep = (): void => {
        if (left-- === 0) throw new Error('stopped here');
      };
      await expect(world.publish({ beforeStep })).rejects.toThrow('stopped here');
      expect(readdirSync(join(world.published, 'versions')).sort()).toEqual([name, latest].sort());
    }
    expect(readLatest(world.published)).toBe(latest);
    await world.publish();
    expectSameIndex(world);
  });

  it('loses what a publisher that died has left', async () => {
    const world = await createCopiesWorld(5);
    await world.publish();
    const left = join(world.published, 'versions', 'new.partial');
    mkdirSync(left);
    writeFileSync(join(left, 'index.db'), 'half a file');
    await world.publish();
    expect(existsSync(left)).toBe(false);
    expectSameIndex(world);
  });

  it('is written by one process at a time', async () => {
    const world = await createCopiesWorld(5);
    const { name } = await world.publish();
    const unlock = lockFolder(world.published);
    const failure = { code: 'database_busy' };
    await expect(world.publish()).rejects.toMatchObject(failure);
    expect(readLatest(world.published)).toBe(name);
    unlock();
    world.add(6, 1);
    await world.publish();
    const both = await Promise.allSettled([world.publish(), world.publish()]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expectSameIndex(world);
  });
});
