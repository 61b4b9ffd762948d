import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type ByteSource, openSource } from '../../src/ingest/source.ts';
import { scratchFolder, writeFiles } from './index-files.ts';

/** Several chunks of what hardly compresses; the same in each run. */
const TEXT = Array.from({ length: 20_000 }, (_, i) => `${i * 7919} ${(i * 104729) % 65537}\n`).join(
  '',
);
const ZIPPED = gzipSync(TEXT);
const HALF = Math.floor(TEXT.length / 2);

/** A stream that never ends would hang for as long as a test may take otherwise. */
const TIMEOUT = { timeout: 10_000 };

const WHOLE: [what: string, content: Buffer | string, inside: Buffer | string][] = [
  ['a plain file', TEXT, TEXT],
  ['a gzip file', ZIPPED, TEXT],
  ['an empty file', '', ''],
  ['a file of one byte', 'a', 'a'],
  ['the first byte of gzip alone', Buffer.from([0x1f]), '\x1f'],
  ['an empty gzip file', gzipSync(''), ''],
  ['several gzip members', members(TEXT.slice(0, HALF), '', TEXT.slice(HALF)), TEXT],
  ['a gzip file in a gzip file as what it is', gzipSync(gzipSync('a')), gzipSync('a')],
  ['gzip with some padding behind it', joined(ZIPPED, '\0'.repeat(512)), TEXT],
  ['gzip with much padding behind it', joined(ZIPPED, '\0'.repeat(300_000)), TEXT],
];

const BROKEN: [what: string, content: Buffer, reason: string][] = [
  ['a gzip header alone', ZIPPED.subarray(0, 10), 'unexpected end of file'],
  ['a few bytes of gzip', ZIPPED.subarray(0, 4), 'unexpected end of file'],
  ['half a gzip file', ZIPPED.subarray(0, ZIPPED.length / 2), 'unexpected end of file'],
  ['gzip without its last byte', ZIPPED.subarray(0, -1), 'unexpected end of file'],
  ['gzip with a wrong checksum', flipped(ZIPPED, ZIPPED.length - 6), 'incorrect data check'],
  ['gzip with rubbish behind it', joined(ZIPPED, 'rubbish'), 'incorrect header check'],
  ['what only starts like gzip', Buffer.from([0x1f, 0x8b, 1, 2, 3, 4]), 'unknown compression'],
];

describe('openSource', () => {
  it.each(WHOLE)('reads %s', TIMEOUT, async (_, content, inside) => {
    const source = await open(content);
    const read = await readAll(source);
    expect(read.failure).toBeUndefined();
    expect(read.text === Buffer.from(inside).toString('latin1')).toBe(true);
  });

  it.each([TEXT, ZIPPED])('counts the bytes that it takes from disk', async (content) => {
    const source = await open(content);
    expect(source).toMatchObject({ bytes: content.length });
    expect(source.bytesRead()).toBe(0);
    await readAll(source);
    expect(source.bytesRead()).toBe(content.length);
  });

  it.each(BROKEN)('hands on what it can of %s, and says why it stops', TIMEOUT, async (...row) => {
    const [, content, reason] = row;
    const source = await open(content);
    const { text, failure } = await readAll(source);
    expect(TEXT.startsWith(text)).toBe(true);
    expect(failure).toMatchObject({ code: 'unreadable_input' });
    expect(String(failure)).toContain(`${source.path} breaks off: ${reason}`);
  });

  it('hands on all of a truncated file that can be decompressed', TIMEOUT, async () => {
    for (const share of [0.1, 0.5, 0.9]) {
      const source = await open(ZIPPED.subarray(0, Math.floor(ZIPPED.length * share)));
      const { text } = await readAll(source);
      // Compressed data are handed on in whole blocks of symbols: a little is lost at the cut.
      expect(text.length / TEXT.length).toBeGreaterThan(share - 0.02);
    }
  });

  it('stops at damage in the middle with what came before it', TIMEOUT, async () => {
    const { text, failure } = await readAll(await open(flipped(ZIPPED, ZIPPED.length / 2)));
    expect(failure).toMatchObject({ code: 'unreadable_input' });
    expect(text.length).toBeGreaterThan(0);
    expect(TEXT.startsWith(text.slice(0, HALF / 2))).toBe(true);
  });

  it('can be read twice, each time from the start', async () => {
    const source = await open(gzipSync('once'));
    expect((await readAll(source)).text).toBe('once');
    expect((await readAll(source)).text).toBe('once');
  });

  it('can be left before its end', async () => {
    const source = await open(ZIPPED);
    for await (const chunk of source.chunks()) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(source.bytesRead()).toBeGreaterThan(0);
  });

  it('refuses what is not there and what is no file', async () => {
    const folder = await scratchFolder();
    const missing = join(folder, 'missing');
    const reason = `cannot read ${missing}: ENOENT`;
    await expect(openSource(missing)).rejects.toThrow(reason);
    await mkdir(join(folder, 'folder'));
    await expect(openSource(join(folder, 'folder'))).rejects.toMatchObject({
      code: 'unreadable_input',
    });
  });
});

async function open(content: Buffer | string): Promise<ByteSource> {
  const [path] = await writeFiles(await scratchFolder(), { file: content });
  return openSource(path as string);
}

async function readAll(source: ByteSource): Promise<{ text: string; failure: unknown }> {
  const chunks: Buffer[] = [];
  let failure: unknown;
  try {
    for await (const chunk of source.chunks()) chunks.push(chunk);
  } catch (error) {
    failure = error;
  }
  return { text: Buffer.concat(chunks).toString('latin1'), failure };
}

function members(...texts: string[]): Buffer {
  return Buffer.concat(texts.map((text) => gzipSync(text)));
}

function joined(content: Buffer, rest: string): Buffer {
  return Buffer.concat([content, Buffer.from(rest)]);
}

function flipped(content: Buffer, at: number): Buffer {
  const copy = Buffer.from(content);
  copy.writeUInt8(copy.readUInt8(Math.floor(at)) ^ 0xff, Math.floor(at));
  return copy;
}
