/** Archives that are written here, read by the library that reads those of others. */
import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type ZippedFile, zipArchive } from '../../src/accounts/write-zip.ts';
import { unzip } from '../support/unzip.ts';

const TIME = Date.UTC(2026, 2, 14, 9, 30, 8);

async function archiveOf(files: readonly ZippedFile[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of zipArchive(files, TIME)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* slowly(pieces: readonly string[]): AsyncGenerator<string> {
  for (const piece of pieces) {
    await nextTurn();
    yield piece;
  }
}

it('holds each file as it was given', async () => {
  const random = Array.from({ length: 40 }, () => randomBytes(50_000).toString('base64'));
  const archive = await archiveOf([
    { name: 'empty.txt', pieces: [] },
    { name: 'short.txt', pieces: ['größer, ', '', 'und so weiter\r\n'] },
    { name: 'long.txt', pieces: slowly(random) },
    { name: 'same.txt', pieces: ['x'.repeat(5_000_000)] },
  ]);
  const files = await unzip(archive);
  expect([...files.keys()]).toEqual(['empty.txt', 'short.txt', 'long.txt', 'same.txt']);
  expect([files.get('empty.txt'), files.get('short.txt')]).toEqual([
    ...['', 'größer, und so weiter\r\n'],
  ]);
  expect(files.get('long.txt') === random.join('')).toBe(true);
  expect(files.get('same.txt')?.length).toBe(5_000_000);
  expect(await unzip(await archiveOf([]))).toEqual(new Map());
});

it('fails when a file fails, and reads no file after it', async () => {
  let isRead = false;
  async function* failing(): AsyncGenerator<string> {
    yield 'a beginning';
    await nextTurn();
    throw new Error('the store is away');
  }
  async function* next(): AsyncGenerator<string> {
    isRead = true;
    yield 'never';
  }
  const archive = archiveOf([
    { name: 'a', pieces: failing() },
    { name: 'b', pieces: next() },
  ]);
  await expect(archive).rejects.toThrow('the store is away');
  expect(isRead).toBe(false);
});

it('stops reading when its reader stops', async () => {
  let pieces = 0;
  let isOver = false;
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) {
        pieces++;
        await nextTurn();
        yield randomBytes(100_000).toString('base64');
      }
    } finally {
      isOver = true;
    }
  }
  for await (const chunk of zipArchive([{ name: 'a', pieces: endless() }], TIME)) {
    if (chunk.length > 1_000) break;
  }
  await expect.poll(() => isOver).toBe(true);
  expect(pieces).toBeLessThan(50);
});
