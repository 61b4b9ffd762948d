/** Fetching copies: what is read, and what damage, interruptions, and other processes do. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import {
  copyPaths,
  finishCopy,
  latestPath,
  listCopies,
  partialPaths,
  readLatest,
} from '../../../src/index/copies/copy-folder.ts';
import { hashPieces } from '../../../src/index/copies/hash-pieces.ts';
import { lockFolder } from '../../../src/index/copies/lock-folder.ts';
import {
  copyName,
  manifestText,
  PIECE_BYTES,
  piecesOf,
} from '../../../src/index/copies/manifest.ts';
import {
  type CopiesWorld,
  createCopiesWorld,
  expectSame,
  flipByte,
  newestDatabase,
} from './copies-world.ts';

/** Several pieces. */
const DOCUMENTS = 3500;

describe('a pull', () => {
  it('fetches a copy, and then only what has changed', async () => {
    const world = await createCopiesWorld(DOCUMENTS);
    await world.publish();
    const first = await world.pull();
    expect(first).toMatchObject({ isNew: true, fetchedBytes: first.manifest.bytes, deleted: [] });
    expectSame(world);
    expect(await world.pull()).toMatchObject({ isNew: false, fetchedBytes: 0 });
    world.add(DOCUMENTS + 1, 1);
    await world.publish();
    const { fetchedBytes, manifest } = await world.pull();
    expect(fetchedBytes).toBeGreaterThan(0);
    expect(fetchedBytes).toBeLessThan(manifest.bytes);
    expectSame(world);
    expect(listCopies(world.local)).toHaveLength(2);
  });

  it('goes on where an interrupted one ended', async () => {
    const world = await createCopiesWorld(DOCUMENTS);
    const { manifest } = await world.publish();
    const stop = new AbortController();
    const onProgress = (bytes: number): void => {
      if (bytes >= PIECE_BYTES) stop.abort();
    };
    await expect(world.pull({ signal: stop.signal, onProgress })).rejects.toThrow();
    expect(existsSync(latestPath(world.local))).toBe(false);
    const { fetchedBytes } = await world.pull();
    expect(fetchedBytes).toBeLessThanOrEqual(manifest.bytes - PIECE_BYTES);
    expectSame(world);
  });

  it('fetches again what is wrong in a half-written copy, and cuts off what is too much', async () => {
    const world = await createCopiesWorld(DOCUMENTS);
    const { name, manifest } = await world.publish();
    const partial = partialPaths(world.local, name);
    cpSync(copyPaths(world.published, name).folder, partial.folder, { recursive: true });
    flipByte(partial.database, PIECE_BYTES + 5);
    truncateSync(partial.database, manifest.bytes + 100);
    expect((await world.pull()).fetchedBytes).toBe(PIECE_BYTES);
    expectSame(world);
  });

  it('drops the half-written copy of another version', async () => {
    const world = await createCopiesWorld(10);
    const { folder } = partialPaths(world.local, '00000001-0123456789ab');
    mkdirSync(folder, { recursive: true });
    await world.publish();
    await world.pull();
    expectSame(world);
  });

  it('fetches from the source what has changed in the own copy', async () => {
    const world = await createCopiesWorld(DOCUMENTS);
    const first = await world.publish();
    await world.pull();
    const own = newestDatabase(world.local);
    world.add(DOCUMENTS + 1, 1);
    const second = await world.publish();
    const known = new Set(first.manifest.pieces);
    const [shared] = piecesOf(second.manifest).filter(({ sha256 }) => known.has(sha256));
    const changed = piecesOf(second.manifest).filter(({ sha256 }) => !known.has(sha256));
    const newBytes = changed.reduce((sum, { length }) => sum + length, 0);
    flipByte(own, first.manifest.pieces.indexOf(shared?.sha256 ?? '') * PIECE_BYTES + 9);
    expect((await world.pull()).fetchedBytes).toBe(newBytes + PIECE_BYTES);
    expectSame(world);
  });

  it('goes back to an earlier copy that the publisher names again', async () => {
    const world = await createCopiesWorld(10);
    const { name } = await world.publish();
    const before = readFileSync(latestPath(world.published));
    world.add(11, 1);
    await world.publish();
    await world.pull();
    writeFileSync(latestPath(world.published), before);
    expect((await world.pull()).name).toBe(name);
    expectSame(world);
  });
});

describe('a pull is refused, and the earlier copy stays,', () => {
  it.each<[what: string, damage: (world: CopiesWorld) => void, message: RegExp]>([
    [
      'if a byte of the source has changed',
      ({ published }) => flipByte(newestDatabase(published), 12_345),
      /index\.db is damaged: bytes 0 to \d+ are not those of its manifest/,
    ],
    [
      'if the source is cut off',
      ({ published }) => truncateSync(newestDatabase(published), 20_000),
      /index\.db is damaged: bytes 0 to \d+/,
    ],
    [
      'if the file is missing',
      ({ published }) => rmSync(newestDatabase(published)),
      /cannot read .*index\.db/,
    ],
    [
      'if the manifest is that of another version',
      ({ published }) => {
        const [first, second] = listCopies(published) as [string, string];
        cpSync(copyPaths(published, first).manifest, copyPaths(published, second).manifest);
      },
      /manifest\.json is not the manifest of 00000002-[\da-f]{12}, or was changed/,
    ],
    [
      'if the manifest is cut off',
      ({ published }) => truncateSync(copyPaths(published, readLatest(published)).manifest, 50),
      /manifest\.json is not a manifest/,
    ],
    [
      'if the manifest is of another format',
      ({ published }) =>
        writeFileSync(copyPaths(published, readLatest(published)).manifest, '{"format": 2}'),
      /manifest\.json has the format 2; this version reads 1/,
    ],
    [
      'if the manifest is no JSON object',
      ({ published }) =>
        writeFileSync(copyPaths(published, readLatest(published)).manifest, 'null'),
      /manifest\.json is not a manifest/,
    ],
    [
      'if a manifest has no pieces',
      ({ published }) =>
        writeFileSync(
          copyPaths(published, readLatest(published)).manifest,
          '{"format":1,"number":1,"tables":1,"documents":1,"bytes":5,"pieceBytes":0,"pieces":[]}',
        ),
      /manifest\.json is not a manifest/,
    ],
    [
      'if the manifest is missing',
      ({ published }) => rmSync(copyPaths(published, readLatest(published)).manifest),
      /manifest\.json is missing/,
    ],
    [
      'if the source names no copy',
      ({ published }) => writeFileSync(latestPath(published), '{"copy":"../../etc"}'),
      /latest\.json does not name a copy of an index/,
    ],
    [
      'if the source names null',
      ({ published }) => writeFileSync(latestPath(published), 'null'),
      /latest\.json does not name a copy of an index/,
    ],
    [
      'if the source has no copy',
      ({ published }) => rmSync(latestPath(published)),
      /there is no copy of an index in .*: .*latest\.json is missing/,
    ],
  ])('%s', async (_what, damage, message) => {
    const world = await createCopiesWorld(30);
    await world.publish();
    const { name } = await world.pull();
    const before = world.newestBytes(world.local);
    world.add(31, 30);
    await world.publish();
    damage(world);
    const failure = { code: 'verify_failed', message: expect.stringMatching(message) };
    await expect(world.pull()).rejects.toMatchObject(failure);
    expect(readLatest(world.local)).toBe(name);
    expect(world.newestBytes(world.local).equals(before)).toBe(true);
  });

  it('if this version cannot read the copy', async () => {
    const world = await createCopiesWorld(5);
    await world.publish();
    const { name, manifest } = await world.pull();
    await publishVersion(world, manifest.tables + 1);
    const failure = {
      code: 'migration_needed',
      message: expect.stringContaining('a newer Verbatim'),
    };
    await expect(world.pull()).rejects.toMatchObject(failure);
    expect(readLatest(world.local)).toBe(name);
    await publishVersion(world, manifest.tables - 1);
    await expect(world.pull()).rejects.toThrow('an older Verbatim');
    await world.publish();
    await world.pull();
    expectSame(world);
  });

  it('if another process writes to the folder', async () => {
    const world = await createCopiesWorld(5);
    await world.publish();
    await world.pull();
    world.add(6, 1);
    await world.publish();
    const unlock = lockFolder(world.local);
    await expect(world.pull()).rejects.toMatchObject({ code: 'database_busy' });
    unlock();
    const both = await Promise.allSettled([world.pull(), world.pull()]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expectSame(world);
  });
});

/** Publishes a copy whose tables are of another version. */
async function publishVersion({ published }: CopiesWorld, tables: number): Promise<void> {
  const partial = partialPaths(published, 'new');
  cpSync(copyPaths(published, readLatest(published)).folder, partial.folder, { recursive: true });
  const db = new Database(partial.database);
  db.pragma(`user_version = ${tables}`);
  db.close();
  const hashed = await hashPieces(partial.database, {
    pieceBytes: PIECE_BYTES,
    onProgress() {},
    signal: new AbortController().signal,
  });
  expect(hashed.bytes).toBe(statSync(partial.database).size);
  const manifest = { number: 50 + tables, publishedAt: '', tables, documents: 5, ...hashed };
  const text = manifestText(manifest);
  finishCopy(published, { partial, name: copyName(manifest, text), text });
}
