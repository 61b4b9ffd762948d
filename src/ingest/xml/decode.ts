/**
 * Decodes an XML file. The encoding comes from the byte order mark, the first bytes, or the
 * declaration (XML 1.0, appendix F); the default is UTF-8.
 */
import { isUtf8 } from 'node:buffer';
import { VerbatimError } from '../../errors.ts';

/** Replaces invalid UTF-8. XML forbids this character, so only its record is rejected. */
const INVALID = '\u{fffe}';
const REPLACEMENT = '\u{fffd}';
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);

/** Bytes searched for a declaration. */
const DECLARATION_BYTES = 200;

/** Encodings by their names in declarations, with the decoder's names. */
const SINGLE_BYTE: Readonly<Record<string, string>> = {
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'windows-1252': 'windows-1252',
  'iso-8859-15': 'iso-8859-15',
};
const UNICODE = ['utf-8', 'utf8', 'us-ascii', 'ascii', 'utf-16', 'utf-16le', 'utf-16be', 'ucs-2'];

/**
 * The text of `chunks`, piece by piece. Throws `unreadable_input` for an unsupported encoding.
 * Invalid UTF-8 becomes U+FFFE.
 */
export async function* decodeXml(
  chunks: AsyncIterable<Buffer>,
  path: string,
): AsyncGenerator<string> {
  let decode: ((bytes: Buffer, isLast: boolean) => string) | undefined;
  let waiting: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    if (decode === undefined && waiting.length < DECLARATION_BYTES) continue;
    decode ??= decoderFor(waiting, path);
    yield decode(waiting, false);
    waiting = Buffer.alloc(0);
  }
  decode ??= decoderFor(waiting, path);
  yield decode(waiting, true);
}

function decoderFor(head: Buffer, path: string): (bytes: Buffer, isLast: boolean) => string {
  const encoding = encodingOf(head);
  if (encoding === undefined) {
    const declared = declaredEncoding(head) ?? 'UTF-32';
    const known = 'UTF-8, UTF-16 and ISO-8859-1 are read';
    throw new VerbatimError('unreadable_input', `${path} is in ${declared}; ${known}`);
  }
  if (encoding === 'utf-8') return utf8Decoder();
  const decoder = new TextDecoder(encoding);
  return (bytes, isLast) => decoder.decode(bytes, { stream: !isLast });
}

/** The decoder's name of the encoding; undefined if it is not supported. */
function encodingOf(head: Buffer): string | undefined {
  const [first, second, third, fourth] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) {
    return third === 0 && fourth === 0 ? undefined : 'utf-16le';
  }
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  if (first === 0 && second === 0) return undefined;
  // Wins over the declaration, which conversions leave unchanged.
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  const declared = declaredEncoding(head)?.toLowerCase() ?? 'utf-8';
  // A file converted from UTF-16 to UTF-8 often keeps its declaration.
  return UNICODE.includes(declared) ? 'utf-8' : SINGLE_BYTE[declared];
}

function declaredEncoding(head: Buffer): string | undefined {
  const start = head.subarray(0, DECLARATION_BYTES).toString('latin1');
  return /^(?:ï»¿)?\s*<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"']+)["']/.exec(start)?.[1];
}

/** Unlike TextDecoder, it distinguishes a U+FFFD of the source from invalid bytes. */
function utf8Decoder(): (bytes: Buffer, isLast: boolean) => string {
  let tail: Buffer = Buffer.alloc(0);
  return (bytes, isLast) => {
    const all = tail.length === 0 ? bytes : Buffer.concat([tail, bytes]);
    const end = isLast ? all.length : all.length - incompleteTailLength(all);
    // A copy, because the reader may reuse the buffer of the chunk.
    tail = Buffer.from(all.subarray(end));
    const whole = all.subarray(0, end);
    return isUtf8(whole) ? whole.toString('utf8') : decodeInvalid(whole);
  };
}

/** The number of trailing bytes that start a character completed by the next chunk. */
function incompleteTailLength(bytes: Buffer): number {
  for (let length = 1; length <= Math.min(3, bytes.length); length++) {
    const byte = bytes[bytes.length - length] as number;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > length ? length : 0;
  }
  return 0;
}

function decodeInvalid(bytes: Buffer): string {
  const parts: string[] = [];
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(REPLACEMENT_BYTES, start);
    const part = bytes.subarray(start, end === -1 ? bytes.length : end);
    parts.push(part.toString('utf8').replaceAll(REPLACEMENT, INVALID));
    if (end === -1) return parts.join(REPLACEMENT);
    start = end + REPLACEMENT_BYTES.length;
  }
}
