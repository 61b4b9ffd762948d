/** Requests with faults in their framing, their headers, and their bodies, as the bytes on the wire. */
import fc from 'fast-check';
import { searchFields } from './body.ts';
import { strangeText } from './strange-text.ts';

/** One request, and how it is cut into segments. */
export interface RawRequest {
  bytes: Buffer;
  /** Where the second segment starts; beyond the end: there is one. */
  cutAt: number;
  /** Whether nothing is wrong with its framing, so that it must be answered. */
  isSound: boolean;
}

const LINE_END = '\r\n';
const JSON_TYPE = 'Content-Type: application/json';
const SOUND_BYTES_MAX = 10_000;

const method = fc.oneof(
  { weight: 6, arbitrary: fc.constant('POST') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'GET',
      'HEAD',
      'OPTIONS',
      'PUT',
      'post',
      'TRACE',
      'P',
      '',
      'GET GET',
    ),
  },
);
const target = fc.oneof(
  { weight: 6, arbitrary: fc.constant('/v1/search') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...['/v1/usage', '/health', '/health?live', '/', '/docs', '/webhooks/stripe', '*', '', '//'],
      ...[
        'http://a/v1/search',
        '/v1/search?',
        '/v1/%73earch',
        '/../etc/passwd',
        '/v1/search#a',
        '/\0',
      ],
      ...['/dashboard/sign-in', '/dashboard/ledger.csv?kind=hold', `/${'a'.repeat(9_000)}`],
    ),
  },
);
const version = fc.oneof(
  { weight: 10, arbitrary: fc.constant('HTTP/1.1') },
  { weight: 1, arbitrary: fc.constantFrom('HTTP/1.0', 'HTTP/2', 'http/1.1', 'HTTP/1.1 ', '') },
);
const headerName = fc.constantFrom(
  ...['Accept-Encoding', 'Expect', 'Connection', 'Cookie', 'X-Lanes', 'Transfer-Encoding', 'Host'],
  ...[
    'Content-Encoding',
    'Content-Type',
    'Content-Length',
    'Authorization',
    'Upgrade',
    'Range',
    ' A',
  ],
  ...['Stripe-Signature', 'X-Forwarded-For', 'Origin', 'TE', '', 'A:', 'Ä', 'a b'],
);
const headerValue = fc.oneof(
  fc.constantFrom(
    ...['', '*', 'gzip', 'br;q=0.5, *;q=0', 'chunked', 'Chunked', 'gzip, chunked', '100-continue'],
    ...[
      'close',
      'keep-alive',
      'Upgrade',
      'websocket',
      '0',
      '-1',
      '5',
      '00005',
      '5, 5',
      '0x5',
      '1e1',
    ],
    ...[
      '99999999999999999999',
      'application/json',
      'text/plain',
      'Bearer',
      'a'.repeat(20_000),
      '\t',
    ],
  ),
  strangeText.map((text) => text.replaceAll(/[\r\n]/g, ' ')),
);
const header = fc
  .tuple(headerName, headerValue, fc.constantFrom(': ', ':', ' : ', ':\t', ': \r\n '))
  .map(([name, value, colon]) => `${name}${colon}${value}`);

/** How the length of a body is told. */
type Framing = 'right' | 'none' | 'short' | 'long' | 'chunked' | 'wrong chunks' | 'both';
const framing: fc.Arbitrary<Framing> = fc.oneof(
  { weight: 6, arbitrary: fc.constant('right' as const) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...(['none', 'short', 'long', 'chunked', 'chunked', 'wrong chunks', 'both'] as const),
    ),
  },
);

function lengthLines(kind: Framing, bytes: number): string[] {
  if (kind === 'none') return [];
  const length = `Content-Length: ${kind === 'short' ? bytes >> 1 : kind === 'long' ? bytes + 9 : bytes}`;
  if (kind === 'both') return [length, 'Transfer-Encoding: chunked'];
  return kind.includes('chunk') ? ['Transfer-Encoding: chunked'] : [length];
}

function frame(body: Buffer, kind: Framing, size: string): Buffer {
  if (!kind.includes('chunk') && kind !== 'both') return body;
  const written = kind === 'wrong chunks' ? size : body.length.toString(16);
  return Buffer.concat([
    Buffer.from(`${written}${LINE_END}`),
    body,
    Buffer.from(`${LINE_END}0${LINE_END}${LINE_END}`),
  ]);
}

/** A request with the key's secret in most cases. */
export function rawRequest(secret: string): fc.Arbitrary<RawRequest> {
  const key = fc.oneof(
    { weight: 8, arbitrary: fc.constant(`Authorization: Bearer ${secret}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('Authorization: Bearer x', 'Authorization: Basic eA=='),
    },
  );
  const type = fc.oneof(
    { weight: 8, arbitrary: fc.constant(JSON_TYPE) },
    { weight: 1, arbitrary: header },
  );
  const body = fc.oneof(
    { weight: 8, arbitrary: searchFields.map((fields) => JSON.stringify(fields)) },
    { weight: 1, arbitrary: strangeText },
    { weight: 1, arbitrary: fc.constantFrom('', '{', 'a'.repeat(70_000), '[['.repeat(9_000)) },
  );
  const size = fc.constantFrom('0', '-1', 'ffffffffffffffff', 'g', '5;a=b', '', '00000000000005');
  return fc
    .record({
      method,
      target,
      version,
      key,
      type,
      framing,
      body,
      size,
      more: fc.array(header, { maxLength: 4 }),
      cutAt: fc.oneof(fc.constant(Infinity), fc.nat(400)),
      lineEnd: fc.oneof(
        { weight: 12, arbitrary: fc.constant(LINE_END) },
        { weight: 1, arbitrary: fc.constant('\n') },
      ),
    })
    .map((given) => {
      const content = Buffer.from(given.body);
      const lines = [
        ...[
          `${given.method} ${given.target} ${given.version}`,
          'Host: localhost',
          given.key,
          given.type,
        ],
        ...lengthLines(given.framing, content.length),
        ...[...given.more, '', ''],
      ];
      const head = Buffer.from(lines.join(given.lineEnd));
      return {
        bytes: Buffer.concat([head, frame(content, given.framing, given.size)]),
        cutAt: given.cutAt,
        isSound: isSound(given, content),
      };
    });
}

interface Framed {
  method: string;
  target: string;
  version: string;
  type: string;
  framing: Framing;
  more: readonly string[];
  lineEnd: string;
}

/** A search in HTTP as it should be. Its key, its fields, and its JSON may be wrong. */
function isSound(given: Framed, { length }: Buffer): boolean {
  const { method, target, version, type, framing, more, lineEnd } = given;
  return (
    `${method} ${target} ${version}` === 'POST /v1/search HTTP/1.1' &&
    type === JSON_TYPE &&
    (framing === 'right' || framing === 'chunked') &&
    // The server may close the connection before it has read a longer body.
    length > 0 &&
    length < SOUND_BYTES_MAX &&
    more.length === 0 &&
    lineEnd === LINE_END
  );
}
