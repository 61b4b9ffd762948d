/** Pulling a copy that is there already and damaged: what is fetched again, and what nobody notices. */
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  copyPaths,
  latestPath,
  partialPaths,
  readLatest,
} from '../../../src/index/copies/copy-folder.ts';
import { isAt } from '../../../src/index/copies/copy-source.ts';
import { PIECE_BYTES } from '../../../src/index/copies/manifest.ts';
import {
  type CopiesWorld,
  createCopiesWorld,
  expectSame,
  flipByte,
  newestDatabase,
  overwrite,
} from './copies-world.ts';

/** Several pieces. */
const DOCUMENTS = 2200;

it('a piece that the disk cannot read is damaged, and other errors are errors', async () => {
  const failing = (code: string) => ({
    read: () => Promise.reject(Object.assign(new Error(code), { code })),
  });
  const wanted = { piece: { start: 0, length: 1, sha256: '' }, bytes: Buffer.alloc(1) };
  expect(await isAt(failing('EIO'), 0, wanted)).toBe(false);
  await expect(isAt(failing('EBADF'), 0, wanted)).rejects.toThrow('EBADF');
});

/** A node whose copy is damaged in its first piece and its third, which is the last. */
async function createDamagedNode(): Promise<CopiesWorld> {
  const world = await createCopiesWorld(DOCUMENTS);
  await world.publish();
  await world.pull();
  for (const piece of [0, 2]) overwrite(newestDatabase(world.local), piece * PIECE_BYTES + 40_960);
  return world;
}

describe('a pull of a damaged copy', () => {
  it('fetches the damaged pieces again, and changes no file that somebody reads', async () => {
    const world = await createDamagedNode();
    const path = newestDatabase(world.local);
    const before = readFileSync(path);
    const reader = openSync(path, 'r');
    const { ino } = fstatSync(reader);
    const { isNew, fetchedBytes, damage, manifest } = await world.pull();
    const pieces = manifest.bytes - PIECE_BYTES;
    expect({ isNew, fetchedBytes }).toEqual({ isNew: false, fetchedBytes: pieces });
    expect(damage).toEqual([
      `${path}: bytes 0 to ${PIECE_BYTES - 1} are not those of its manifest`,
      `${path}: bytes ${2 * PIECE_BYTES} to ${manifest.bytes - 1} are not those of its manifest`,
    ]);
    expectSame(world);
    expect(statSync(path).ino).not.toBe(ino);
    expect(readFileSync(reader).equals(before)).toBe(true);
    closeSync(reader);
    expect(await world.pull()).toMatchObject({ isNew: false, fetchedBytes: 0, damage: [] });
  });

  it.each<[what: string, damage: (world: CopiesWorld) => void, found: RegExp]>([
    [
      'whose file is cut off',
      ({ local }) => truncateSync(newestDatabase(local), PIECE_BYTES + 5),
      /: bytes 1048576 to \d+ are not/,
    ],
    [
      'whose file is too long',
      ({ local }) => truncateSync(newestDatabase(local), 50 * PIECE_BYTES),
      /index\.db has 52428800 bytes; its manifest says \d+/,
    ],
    ['whose file is missing', ({ local }) => rmSync(newestDatabase(local)), /cannot read .*index/],
    [
      'whose manifest is damaged',
      ({ local }) => flipByte(copyPaths(local, readLatest(local)).manifest, 30),
      /manifest\.json is not/,
    ],
    [
      'whose manifest is missing',
      ({ local }) => rmSync(copyPaths(local, readLatest(local)).manifest),
      /manifest\.json is missing/,
    ],
    [
      'whose folder is missing',
      ({ local }) => rmSync(copyPaths(local, readLatest(local)).folder, { recursive: true }),
      /manifest\.json is missing/,
    ],
  ])('%s makes it whole', async (_what, damage, found) => {
    const world = await createCopiesWorld(DOCUMENTS);
    await world.publish();
    await world.pull();
    damage(world);
    const pulled = await world.pull();
    expect(pulled.damage).toEqual([expect.stringMatching(found)]);
    expectSame(world);
    expect(await world.pull()).toMatchObject({ damage: [] });
  });

  it('whose folder names no copy makes it whole', async () => {
    const world = await createDamagedNode();
    writeFileSync(latestPath(world.local), 'nul');
    await world.pull();
    expectSame(world);
  });

  it('goes on where an interrupted one ended, and leaves the copy as it was until then', async () => {
    const world = await createDamagedNode();
    const before = world.newestBytes(world.local);
    const stop = new AbortController();
    const onProgress = (): void => {
      const partial = partialPaths(world.local, readLatest(world.local)).database;
      const bytes = statSync(partial, { throwIfNoEntry: false })?.size ?? 0;
      if (bytes >= PIECE_BYTES) stop.abort();
    };
    await expect(world.pull({ signal: stop.signal, onProgress })).rejects.toThrow();
    expect(world.newestBytes(world.local).equals(before)).toBe(true);
    const { isNew, fetchedBytes, manifest } = await world.pull();
    expect({ isNew, fetchedBytes }).toEqual({
      isNew: false,
      fetchedBytes: manifest.bytes - 2 * PIECE_BYTES,
    });
    expectSame(world);
  });

  it('fetches a newer one all the same', async () => {
    const world = await createDamagedNode();
    truncateSync(copyPaths(world.local, readLatest(world.local)).manifest, 100);
    world.add(DOCUMENTS + 1, 1);
    await world.publish();
    const { isNew, fetchedBytes, manifest } = await world.pull();
    expect({ isNew, fetchedBytes }).toEqual({ isNew: true, fetchedBytes: manifest.bytes });
    expectSame(world);
  });

  it('is refused if the source is damaged as well, and changes nothing', async () => {
    const world = await createDamagedNode();
    overwrite(newestDatabase(world.published), 2 * PIECE_BYTES);
    const before = world.newestBytes(world.local);
    await expect(world.pull()).rejects.toMatchObject({ code: 'verify_failed' });
    expect(world.newestBytes(world.local).equals(before)).toBe(true);
  });

  it('lets one of two at once do it', async () => {
    const world = await createDamagedNode();
    const both = await Promise.allSettled([world.pull(), world.pull()]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expectSame(world);
  });
});
