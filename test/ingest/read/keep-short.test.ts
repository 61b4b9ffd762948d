import { describe, expect, it } from 'vitest';
import { keepShort } from '../../../src/ingest/read/keep-short.ts';
import type { ByteSource } from '../../../src/ingest/read/source.ts';
import { sourceOf } from '../read-format.ts';

/** A source that counts how often it is read. */
function counting(content: string, failsAfter = Number.POSITIVE_INFINITY) {
  const inner = sourceOf(content, 1000);
  const readings = { count: 0 };
  const source: ByteSource = {
    ...inner,
    async *chunks() {
      readings.count++;
      let left = failsAfter;
      for await (const chunk of inner.chunks()) {
        if (left-- === 0) throw new Error('it breaks off');
        yield chunk;
      }
    },
  };
  return { readings, kept: keepShort(source) };
}

async function read(source: ByteSource): Promise<string> {
  const parts: Buffer[] = [];
  for await (const chunk of source.chunks()) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

describe('keepShort', () => {
  it.each([
    ['a short content', 'It rose.', 1],
    ['an empty one', '', 1],
    ['one as long as a head', 'a'.repeat(65_536), 1],
    ['a longer one', 'a'.repeat(65_537), 3],
  ])('reads %s as often as it must', async (_, content, times) => {
    const { readings, kept } = counting(content);
    for (let reading = 0; reading < 3; reading++) expect(await read(kept)).toBe(content);
    expect(readings.count).toBe(times);
  });

  it('keeps nothing that was not read to its end', async () => {
    const { readings, kept } = counting('a'.repeat(3000));
    for await (const _ of kept.chunks()) break;
    expect(await read(kept)).toHaveLength(3000);
    expect(readings.count).toBe(2);
  });

  it('fails again where the source breaks off', async () => {
    const { kept } = counting('a'.repeat(3000), 1);
    await expect(read(kept)).rejects.toThrow('it breaks off');
    await expect(read(kept)).rejects.toThrow('it breaks off');
  });
});
