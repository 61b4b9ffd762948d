import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, splitLines } from '../../../src/ingest/read/lines.ts';
import { NOT_UTF8 } from '../../../src/ingest/read/utf8.ts';

type Expected = [number: number, text: string][];

const ROWS: [what: string, content: string, lines: Expected][] = [
  ['nothing', '', []],
  ['one line without an end', 'a', [[1, 'a']]],
  ['an end at the end', 'a\n', [[1, 'a']]],
  [
    'blank lines between',
    'a\n\n \t\nb\n',
    [
      [1, 'a'],
      [4, 'b'],
    ],
  ],
  [
    'Windows line ends',
    'a\r\nb\r\n\r\nc',
    [
      [1, 'a'],
      [2, 'b'],
      [4, 'c'],
    ],
  ],
  ['a carriage return inside a line', 'a\rb\n', [[1, 'a\rb']]],
  ['two carriage returns', 'a\r\r\n', [[1, 'a\r']]],
  ['a byte order mark in front', '\ufeffa\n', [[1, 'a']]],
  ['nothing but a byte order mark', '\ufeff', []],
  ['a byte order mark before a line end', '\ufeff\r\na', [[2, 'a']]],
  ['two byte order marks', '\ufeff\ufeffa', [[1, '\ufeffa']]],
  [
    'a byte order mark further down',
    'a\n\ufeffb',
    [
      [1, 'a'],
      [2, '\ufeffb'],
    ],
  ],
  ['white space around', '  a  \n', [[1, '  a  ']]],
  ['other separators', 'a\u2028b\u0085c\vd\n', [[1, 'a\u2028b\u0085c\vd']]],
  ['letters of several bytes', 'é土😀\n', [[1, 'é土😀']]],
  ['NUL', 'a\0b\n', [[1, 'a\0b']]],
];

const INVALID: [what: string, bytes: number[]][] = [
  ['a byte that never occurs', [0xff]],
  ['a letter cut short', [0xe5, 0x9c]],
  ['a continuation alone', [0x61, 0x80]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
  ['Latin-1', [...Buffer.from('Caf\xe9', 'latin1')]],
];

describe('splitLines', () => {
  it.each(ROWS)('reads %s', async (_, content, lines) => {
    const expected = lines.map(([number, text]) => ({ number, text }));
    expect(await read([Buffer.from(content)])).toEqual(expected);
  });

  it.each(INVALID)('tells of a line with %s and goes on', async (_, bytes) => {
    const content = Buffer.concat([Buffer.from('a\n'), Buffer.from(bytes), Buffer.from('\nb')]);
    expect(await read([content])).toEqual([
      { number: 1, text: 'a' },
      { number: 2, problem: `the line ${NOT_UTF8}`, reason: 'malformed' },
      { number: 3, text: 'b' },
    ]);
  });

  it('tells of a line that is too long, with its length, and goes on', async () => {
    const chunks = ['four\nfiv', 'e5', '\nfour\n', 'six', 'six'].map((text) => Buffer.from(text));
    expect(await read(chunks, 4)).toEqual([
      { number: 1, text: 'four' },
      { number: 2, problem: 'the line has 5 bytes, at most 4 are read', reason: 'too_long' },
      { number: 3, text: 'four' },
      { number: 4, problem: 'the line has 6 bytes, at most 4 are read', reason: 'too_long' },
    ]);
  });

  it('gives the same lines however the bytes are cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyContent(),
        fc.array(fc.nat({ max: 200 }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 12 }),
        async (content, cuts, lineBytesMax) => {
          const expected = linesOfWhole(content, lineBytesMax);
          expect(await read(cut(content, cuts), lineBytesMax)).toEqual(expected);
        },
      ),
    );
  });

  it('leaves the rest unread where the reader stops', async () => {
    let isClosed = false;
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        for (;;) yield Buffer.from('a\nb');
      } finally {
        isClosed = true;
      }
    }
    for await (const line of splitLines(endless(), 10)) if (line.number === 3) break;
    expect(isClosed).toBe(true);
  });
});

async function read(chunks: readonly Buffer[], lineBytesMax = 1000): Promise<Line[]> {
  async function* source(): AsyncGenerator<Buffer> {
    yield* chunks;
  }
  const lines: Line[] = [];
  for await (const line of splitLines(source(), lineBytesMax)) lines.push(line);
  return lines;
}

/** The oracle: the same with the whole content at hand. */
function linesOfWhole(content: Buffer, lineBytesMax: number): Line[] {
  const lines = content.toString('latin1').split('\n');
  return lines.flatMap((latin, index): Line[] => {
    const number = index + 1;
    const bytes = latin.length;
    const problem = `the line has ${bytes} bytes, at most ${lineBytesMax} are read`;
    if (bytes > lineBytesMax) return [{ number, problem, reason: 'too_long' }];
    try {
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: number > 1 });
      const text = decoder.decode(Buffer.from(latin.replace(/\r$/, ''), 'latin1'));
      return text.trim() === '' ? [] : [{ number, text }];
    } catch {
      return [{ number, problem: `the line ${NOT_UTF8}`, reason: 'malformed' }];
    }
  });
}

function anyContent(): fc.Arbitrary<Buffer> {
  const piece = fc.constantFrom('\n', '\n', '\r\n', '\r', 'a', 'bc', ' ', '\ufeff', 'é', '😀');
  const invalid = fc.constantFrom([0xff], [0xe5, 0x9c], [0x80]);
  const bytes = fc.oneof(
    { weight: 8, arbitrary: piece.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: invalid.map((values) => Buffer.from(values)) },
  );
  return fc.array(bytes, { maxLength: 40 }).map((parts) => Buffer.concat(parts));
}

/** The content in pieces, some of them empty. */
function cut(content: Buffer, cuts: readonly number[]): Buffer[] {
  const offsets = [0, ...cuts.map((cut) => cut % (content.length + 1)), content.length];
  offsets.sort((a, b) => a - b);
  return offsets.slice(1).map((end, index) => content.subarray(offsets[index], end));
}
