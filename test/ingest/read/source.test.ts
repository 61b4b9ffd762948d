import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encodingNamed } from '../../../src/ingest/read/encoding.ts';
import {
  type ByteSource,
  HEAD_BYTES,
  openSource,
  sourceOf,
} from '../../../src/ingest/read/source.ts';
import { scratchFolder, writeFiles } from '../index-files.ts';
import {
  COMPRESSED,
  COMPRESSED_TEXT,
  rawFrame,
  repeatedFrame,
  skippableFrame,
} from './zstd-frames.ts';

/** Several chunks of what hardly compresses; the same in each run. */
const TEXT = Array.from({ length: 20_000 }, (_, i) => `${i * 7919} ${(i * 104729) % 65537}\n`).join(
  '',
);
const ZIPPED = gzipSync(TEXT);
/** Several blocks, each of its own letters. */
const ZSTD = Buffer.concat([rawFrame(TEXT.slice(0, 1000)), rawFrame(TEXT.slice(1000))]);
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
  ['a zstd file', COMPRESSED, COMPRESSED_TEXT],
  ['zstd blocks that are not compressed', rawFrame(TEXT), TEXT],
  ['an empty zstd frame', rawFrame(''), ''],
  ['zstd with a checksum', rawFrame(TEXT, { hasChecksum: true }), TEXT],
  ['many zstd frames', zstdFrames(), COMPRESSED_TEXT + TEXT.slice(0, HALF) + TEXT.slice(HALF)],
  ['zstd in gzip as what it is', gzipSync(COMPRESSED), COMPRESSED],
  ['UTF-16, little-endian', Buffer.from('\ufeffcafé 😀\n', 'utf16le'), 'café 😀\n'],
  ['UTF-16, big-endian', Buffer.from('\ufeffcafé 😀\n', 'utf16le').swap16(), 'café 😀\n'],
  ['line ends of old Macs', 'a\rb\r\rc\r', 'a\nb\n\nc\n'],
  ['such in UTF-16', Buffer.from('\ufeffa\rb', 'utf16le'), 'a\nb'],
  ['line ends of Windows', 'a\r\nb\rc', 'a\r\nb\rc'],
  ['a carriage return at the end', 'a\r', 'a\r'],
  ['UTF-16 in gzip', gzipSync(Buffer.from(`\ufeff${TEXT}`, 'utf16le')), TEXT],
  [
    'UTF-32 as what it is',
    Buffer.from('fffe000061000000', 'hex'),
    Buffer.from('fffe000061000000', 'hex'),
  ],
  ['a byte order mark of UTF-16 alone', Buffer.from([0xff, 0xfe]), ''],
  ['UTF-16 cut in the middle of a letter', Buffer.from([0xff, 0xfe, 0x61, 0, 0x62]), 'a\ufffd'],
];

const BROKEN: [what: string, content: Buffer, reason: string][] = [
  ['a gzip header alone', ZIPPED.subarray(0, 10), 'unexpected end of file'],
  ['a few bytes of gzip', ZIPPED.subarray(0, 4), 'unexpected end of file'],
  ['half a gzip file', ZIPPED.subarray(0, ZIPPED.length / 2), 'unexpected end of file'],
  ['gzip without its last byte', ZIPPED.subarray(0, -1), 'unexpected end of file'],
  ['gzip with a wrong checksum', flipped(ZIPPED, ZIPPED.length - 6), 'incorrect data check'],
  ['gzip with rubbish behind it', joined(ZIPPED, 'rubbish'), 'incorrect header check'],
  ['a zstd header alone', ZSTD.subarray(0, 6), 'unexpected end of file'],
  ['a few bytes of zstd', ZSTD.subarray(0, 4), 'unexpected end of file'],
  ['half a zstd file', ZSTD.subarray(0, ZSTD.length / 2), 'unexpected end of file'],
  ['zstd without its last byte', ZSTD.subarray(0, -1), 'unexpected end of file'],
  ['zstd with rubbish behind it', joined(ZSTD, 'rubbish'), 'there is no zstd frame where one'],
  ['a zstd frame to skip that is cut', skippableFrame('abc').subarray(0, -1), 'unexpected end'],
  [
    'zstd with a window beyond any memory',
    rawFrame(TEXT, { windowDescriptor: 0xff }),
    'its zstd window has 4123168604160 bytes, at most 134217728 are read',
  ],
  [
    'zstd with a block that is too large',
    Buffer.from('28b52ffd0038ffffff', 'hex'),
    'a zstd block of',
  ],
  [
    'zstd with a block of no kind',
    Buffer.from('28b52ffd00380f000061', 'hex'),
    'its zstd data are damaged',
  ],
  ['what only starts like gzip', Buffer.from([0x1f, 0x8b, 1, 2, 3, 4]), 'unknown compression'],
];

/** Archives and the like, by how they start. */
const REFUSED: [what: string, content: Buffer, message: string][] = [
  ['a zip archive', Buffer.from('PK\x03\x04rest'), 'it is a zip archive; it is read as a file'],
  ['an empty zip archive', Buffer.from('PK\x05\x06'), 'it is a zip archive'],
  ['a tar archive', tarOf('a.txt'), 'it is a tar archive; archives are read to the second level'],
  ['a tar archive in gzip', gzipSync(tarOf('a.txt')), 'it is a tar archive'],
  ['a tar archive in zstd', rawFrame(tarOf('a.txt')), 'it is a tar archive'],
  ['7z', Buffer.from('377abcaf271c', 'hex'), 'it is a 7z archive'],
  ['Parquet', Buffer.from('PAR1'), 'it is a Parquet file'],
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

  it.each(REFUSED)('refuses %s and says what to do', async (_, content, message) => {
    const source = await open(content);
    const { text, failure } = await readAll(source);
    expect(text).toBe('');
    expect(failure).toMatchObject({ code: 'unreadable_input' });
    expect(String(failure)).toContain(`cannot index ${source.path}: ${message}`);
  });

  it('hands on what is damaged in zstd only up to the damage', async () => {
    for (const at of [40, 200, 460]) {
      const { text } = await readAll(await open(flipped(COMPRESSED, at)));
      expect(text.length).toBeLessThanOrEqual(COMPRESSED_TEXT.length);
    }
    const { text, failure } = await readAll(
      await open(Buffer.concat([rawFrame('sound'), damaged()])),
    );
    expect(text).toBe('sound');
    expect(failure).toMatchObject({ code: 'unreadable_input' });
  });

  it('takes a zstd bomb in small pieces', TIMEOUT, async () => {
    const blocks = 2000;
    const source = await open(repeatedFrame(blocks));
    expect(source.bytes).toBeLessThan(10_000);
    let [bytes, largest] = [0, 0];
    for await (const chunk of source.chunks()) {
      bytes += chunk.length;
      largest = Math.max(largest, chunk.length);
    }
    expect(bytes).toBe(blocks * 128 * 1024);
    expect(largest).toBeLessThanOrEqual(128 * 1024);
  });

  it.each([
    ['plain', Buffer.from(TEXT)],
    ['gzip', ZIPPED],
    ['zstd', ZSTD],
  ])('reads standard input, %s, again from its start', async (_, content) => {
    const source = await openSource('-', {
      standardInput: Readable.from(inPieces(content, 10_000)),
    });
    expect(source).toMatchObject({ path: 'standard input', bytes: 0 });
    for await (const chunk of source.chunks()) if (chunk.length > 0) break;
    const { text, failure } = await readAll(source);
    expect(failure).toBeUndefined();
    expect(text === TEXT).toBe(true);
    expect(source.bytesRead()).toBe(content.length);
  });

  it('does not keep all of standard input to read it again', async () => {
    const source = await openSource('-', {
      standardInput: Readable.from(inPieces(Buffer.alloc(3e6, 'a'), 50_000)),
    });
    expect((await readAll(source)).text).toHaveLength(3e6);
    const { failure } = await readAll(source);
    expect(String(failure)).toContain('standard input breaks off: it can be read only once');
  });

  it('reads a pipe that has a path', async () => {
    const path = join(await scratchFolder(), 'pipe');
    execFileSync('mkfifo', [path]);
    const written = writeFile(path, ZIPPED);
    const source = await openSource(path);
    for await (const chunk of source.chunks()) if (chunk.length > 0) break;
    expect((await readAll(source)).text === TEXT).toBe(true);
    await written;
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

function zstdFrames(): Buffer {
  const halves = [rawFrame(TEXT.slice(0, HALF)), rawFrame(TEXT.slice(HALF))];
  return Buffer.concat([skippableFrame('note'), COMPRESSED, skippableFrame(''), ...halves]);
}

/** A frame whose one block says that it is compressed, and is not. */
function damaged(): Buffer {
  const frame = rawFrame('x'.repeat(50));
  frame.writeUInt8(frame.readUInt8(6) | 0x04, 6);
  return frame;
}

/** The first header of a tar archive, as far as it is looked at. */
function tarOf(name: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name);
  header.write('ustar', 257);
  return header;
}

function inPieces(content: Buffer, bytes: number): Buffer[] {
  const count = Math.ceil(content.length / bytes);
  return Array.from({ length: count }, (_, i) => content.subarray(i * bytes, (i + 1) * bytes));
}

function joined(content: Buffer, rest: string): Buffer {
  return Buffer.concat([content, Buffer.from(rest)]);
}

function flipped(content: Buffer, at: number): Buffer {
  const copy = Buffer.from(content);
  copy.writeUInt8(copy.readUInt8(Math.floor(at)) ^ 0xff, Math.floor(at));
  return copy;
}

describe('an encoding that is named', () => {
  it.each<[string, Buffer, string]>([
    ['latin1', Buffer.from('Caf\xe9 \x96 \r\n', 'latin1'), 'Café – \r\n'],
    ['macintosh', Buffer.from('Caf\x8e\rIt rose.', 'latin1'), 'Café\nIt rose.'],
    ['utf-16le', Buffer.from('Café', 'utf16le'), 'Café'],
    ['utf-16', Buffer.from('\ufeffCafé', 'utf16le'), 'Café'],
    ['latin1', gzipSync(Buffer.from('Caf\xe9', 'latin1')), 'Café'],
  ])('reads %s', async (name, content, text) => {
    const [path] = await writeFiles(await scratchFolder(), { file: content });
    const source = await openSource(path as string, { encoding: encodingNamed(name) });
    const parts: Buffer[] = [];
    for await (const chunk of source.chunks()) parts.push(chunk);
    expect(Buffer.concat(parts).toString()).toBe(`\ufeff${text}`);
  });

  it('is refused where nobody knows it', () => {
    expect(() => encodingNamed('latin-0')).toThrow('there is no encoding "latin-0"');
  });
});

/** A source whose bytes come from memory, and how often they were read from the start. */
function countedSource(content: string, failsAfter = Number.POSITIVE_INFINITY) {
  const readings = { count: 0 };
  const bytes = Buffer.from(content);
  async function* read(): AsyncGenerator<Buffer> {
    readings.count++;
    let left = failsAfter;
    for (let at = 0; at < bytes.length; at += 1000) {
      if (left-- === 0) throw new Error('it breaks off');
      yield bytes.subarray(at, at + 1000);
    }
  }
  const file = { path: 'file', encoding: undefined, bytes: bytes.length, modifiedAt: 1 };
  return { readings, source: sourceOf({ ...file, read }) };
}

describe('chunks', () => {
  it.each([
    ['short content', 'It rose.', 1],
    ['empty content', '', 1],
    ['content as long as a head', 'a'.repeat(HEAD_BYTES), 1],
    ['longer content', 'a'.repeat(HEAD_BYTES + 1), 3],
  ])('reads %s as often as needed', async (_, content, times) => {
    const { readings, source } = countedSource(content);
    for (let reading = 0; reading < 3; reading++) expect(await textOf(source)).toBe(content);
    expect(readings.count).toBe(times);
  });

  it('keeps nothing that was not read to the end', async () => {
    const { readings, source } = countedSource('a'.repeat(3000));
    for await (const _ of source.chunks()) break;
    expect(await textOf(source)).toHaveLength(3000);
    expect(readings.count).toBe(2);
  });

  it('fails at every reading when the source breaks off', async () => {
    const { source } = countedSource('a'.repeat(3000), 1);
    await expect(textOf(source)).rejects.toThrow('it breaks off');
    await expect(textOf(source)).rejects.toThrow('it breaks off');
  });

  it('reads a short file from disk only when it is opened', async () => {
    const [path = ''] = await writeFiles(await scratchFolder(), { 'a.gz': gzipSync('It rose.') });
    const source = await openSource(path);
    await rm(path);
    for (let reading = 0; reading < 2; reading++) expect(await textOf(source)).toBe('It rose.');
  });
});

async function textOf(source: ByteSource): Promise<string> {
  const parts: Buffer[] = [];
  for await (const chunk of source.chunks()) parts.push(chunk);
  return Buffer.concat(parts).toString();
}
