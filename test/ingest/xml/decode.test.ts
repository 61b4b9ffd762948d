import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeXml } from '../../../src/ingest/xml/decode.ts';
import { sourceOf } from '../read-format.ts';

const TEXT = '<?xml version="1.0"?><a>né 漢 😀</a>';

describe('the encoding of a file of XML', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT), TEXT],
    ['UTF-8 that is declared', declared('UTF-8', 'é漢'), '<a>é漢</a>'],
    ['UTF-8 in quotes', Buffer.from("<?xml version='1.0' encoding='utf-8'?><a>é</a>"), '<a>é</a>'],
    ['UTF-8 with a byte order mark', Buffer.from(`\u{feff}${TEXT}`), TEXT],
    ['UTF-16 with a byte order mark', Buffer.from(`\u{feff}${TEXT}`, 'utf16le'), TEXT],
    ['UTF-16 without one', Buffer.from(TEXT, 'utf16le'), TEXT],
    ['UTF-16, the high byte first', Buffer.from(`\u{feff}${TEXT}`, 'utf16le').swap16(), TEXT],
    ['UTF-16, the high byte first, without a mark', Buffer.from(TEXT, 'utf16le').swap16(), TEXT],
    ['UTF-8 that was UTF-16 once', declared('UTF-16', 'é'), '<a>é</a>'],
    ['ISO-8859-1', declared('ISO-8859-1', 'é', 'latin1'), '<a>é</a>'],
    ['windows-1252', declared('windows-1252', 'é', 'latin1'), '<a>é</a>'],
    ['US-ASCII', declared('us-ascii', 'e'), '<a>e</a>'],
    ['nothing', Buffer.alloc(0), ''],
  ])('is read: %s', async (_, bytes, expected) => {
    for (const chunkBytes of [1, 3, 1000]) {
      const text = await textOf(bytes, chunkBytes);
      expect(text.replace(/^\u{feff}/u, '')).toContain(expected);
    }
  });

  it.each([
    ['Shift_JIS', declared('Shift_JIS', 'a'), 'file is in Shift_JIS; UTF-8, UTF-16 and ISO'],
    ['UTF-7', declared('UTF-7', 'a'), 'file is in UTF-7'],
    ['UTF-32', Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0, 0x3c]), 'file is in UTF-32'],
    [
      'UTF-32, low bytes first',
      Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0]),
      'file is in UTF-32',
    ],
  ])('is refused by its name: %s', async (_, bytes, message) => {
    await expect(textOf(bytes, 1000)).rejects.toMatchObject({
      code: 'unreadable_input',
      message: expect.stringContaining(message),
    });
  });

  it.each([
    ['a byte that starts nothing', [0xff], '\u{fffe}'],
    ['half a character', [0xc3, 0x28], '\u{fffe}('],
    ['a character that is cut off at the end', [0xe6, 0xbc], '\u{fffe}'],
    ['half a surrogate pair', [0xed, 0xa0, 0x80], '\u{fffe}'.repeat(3)],
    ['a replacement character of the source', [0xef, 0xbf, 0xbd], '\u{fffd}'],
    ['both', [0xff, 0xef, 0xbf, 0xbd, 0xff], '\u{fffe}\u{fffd}\u{fffe}'],
  ])('shows bytes that are no UTF-8: %s', async (_, bytes, expected) => {
    for (const chunkBytes of [1, 2, 1000]) {
      expect(await textOf(Buffer.from([0x3c, ...bytes]), chunkBytes)).toBe(`<${expected}`);
    }
  });

  it('does not depend on how the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.integer({ min: 1, max: 5 }),
        async (text, size) => {
          const content = `<a>${' '.repeat(200)}${text.toWellFormed()}`;
          expect(await textOf(Buffer.from(content), size)).toBe(content);
        },
      ),
    );
  });
});

async function textOf(bytes: Buffer, chunkBytes: number): Promise<string> {
  let text = '';
  for await (const part of decodeXml(sourceOf(bytes, chunkBytes).chunks(), 'file')) text += part;
  return text;
}

function declared(encoding: string, text: string, as: BufferEncoding = 'utf8'): Buffer {
  return Buffer.from(`<?xml version="1.0" encoding="${encoding}"?><a>${text}</a>`, as);
}
