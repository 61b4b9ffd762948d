import { describe, expect, it } from 'vitest';
import { readTermEmbeddings } from '../../../src/text/embed/term-embeddings.ts';
import { termOf } from '../../../src/text/terms.ts';
import { scratchFolder, writeFiles } from '../../ingest/index-files.ts';
import { encodeTermEmbeddings, oneHot } from '../../support/term-embeddings.ts';

const WORDS = Array.from({ length: 300 }, (_, i) => `word${i}`);

describe('readTermEmbeddings', () => {
  it('finds the row of each term, and none of another', async () => {
    const words = Object.fromEntries(WORDS.map((word, i) => [word, oneHot(i % 64)]));
    const table = await tableOf(encodeTermEmbeddings(words, 1 / 127));
    expect(table).toMatchObject({ size: 300, dimensions: 64 });
    expect(table.scale).toBeCloseTo(1 / 127, 9);
    for (const [i, word] of WORDS.entries()) {
      const row = table.rowOf(termOf(word));
      expect([...table.codes.subarray(row * 64, row * 64 + 64)]).toEqual(oneHot(i % 64));
    }
    for (const other of ['tide', 'sleep', 'word300']) expect(table.rowOf(termOf(other))).toBe(-1);
  });

  it('returns nothing for an encoder without the file', async () => {
    expect(readTermEmbeddings({ folder: await scratchFolder() })).toBeUndefined();
  });

  const whole = encodeTermEmbeddings({ tide: oneHot(0), sleep: oneHot(1) }, 1);
  it.each<[what: string, file: Buffer, reason: string]>([
    ['an empty file', Buffer.alloc(0), 'the file is cut off'],
    ['half a file', whole.subarray(0, 100), 'the file has 100 bytes instead of 148'],
    ['a longer file', Buffer.concat([whole, whole]), 'has 296 bytes instead of 148'],
    [
      'other dimensions',
      encodeTermEmbeddings({ tide: [1, 2, 3] }, 1),
      '3 is not a multiple of 64 dimensions',
    ],
  ])('refuses %s', async (_, file, reason) => {
    const failure = expect.objectContaining({
      code: 'model_unusable',
      message: expect.stringContaining(reason),
    });
    await expect(tableOf(file)).rejects.toEqual(failure);
  });

  it('refuses a missing file', async () => {
    const folder = await scratchFolder();
    expect(() => readTermEmbeddings({ folder, termEmbeddings: 'hash' })).toThrow('ENOENT');
  });
});

async function tableOf(file: Buffer): Promise<NonNullable<ReturnType<typeof readTermEmbeddings>>> {
  const folder = await scratchFolder();
  await writeFiles(folder, { 'term-embeddings.bin': file });
  const table = readTermEmbeddings({ folder, termEmbeddings: 'not compared here' });
  if (table === undefined) throw new Error('no table');
  return table;
}
