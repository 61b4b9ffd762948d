/** Requests with faults in their framing, their headers, and their bodies, as the bytes on the wire. */
import fc from 'fast-check';
import { batchFields, paperQuery, searchFields, similarQuery, verifyFields } from './requests.ts';
import { strangeText, usually } from './strange-text.ts';

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
const LONG_TARGET = `/${'a'.repeat(9_000)}`;

const strangeMethod = fc.constantFrom(
  ...['GET', 'HEAD', 'OPTIONS', 'PUT', 'post', 'TRACE', 'P', '', 'GET GET', 'POST'],
);
const strangeTarget = fc.constantFrom(
  ...['/v1/usage', '/health', '/health?live', '/', '/docs', '/webhooks/stripe', '*', '', '//'],
  ...['http://a/v1/search', '/v1/search?', '/v1/%73earch', '/../etc/passwd', '/v1/search#a', '/\0'],
  ...['/dashboard/sign-in', '/dashboard/accounting.csv?kind=hold', LONG_TARGET],
);

/** Searches that come more than once. */
const REPEATED = [{ query: 'sleep', limit: 1 }, { query: 'does memory fade' }];

interface Call {
  method: string;
  target: string;
  body: string;
  /** Whether it is one of the API's calls, whatever its fields are. */
  isKnown: boolean;
}

const json = (fields: fc.Arbitrary<unknown>) => fields.map((value) => JSON.stringify(value));
const strangeBody = fc.oneof(
  strangeText,
  fc.constantFrom('', '{', 'a'.repeat(70_000), '[['.repeat(9_000)),
);

function post(target: string, fields: fc.Arbitrary<unknown>): fc.Arbitrary<Call> {
  return fc.record({
    method: fc.constant('POST'),
    target: fc.constant(target),
    body: fc.oneof({ weight: 8, arbitrary: json(fields) }, { weight: 2, arbitrary: strangeBody }),
    isKnown: fc.constant(true),
  });
}

const GET = { method: 'GET', body: '', isKnown: true };

function get(path: string, query: fc.Arbitrary<string>): fc.Arbitrary<Call> {
  return query.map((text) => ({ ...GET, target: `${path}?${text}` }));
}

const call: fc.Arbitrary<Call> = fc.oneof(
  { weight: 4, arbitrary: post('/v1/search', searchFields) },
  { weight: 2, arbitrary: post('/v1/search', fc.constantFrom(...REPEATED)) },
  { weight: 2, arbitrary: post('/v1/search/batch', batchFields) },
  { weight: 2, arbitrary: post('/v1/verify', verifyFields) },
  { weight: 2, arbitrary: get('/v1/similar', similarQuery) },
  { weight: 2, arbitrary: get('/v1/paper', paperQuery) },
  {
    weight: 5,
    arbitrary: fc.record({
      method: strangeMethod,
      target: fc.oneof(strangeTarget, fc.constantFrom('/v1/search', '/v1/paper', '/v1/verify')),
      body: fc.oneof(json(searchFields), strangeBody),
      isKnown: fc.constant(false),
    }),
  },
);
const STRANGE_KEYS = ['"one"', '"t w o"', '"a\\"b"', '', 'a,b', '"open', 'ä', 'a'.repeat(300)];
/** Few, so that most are used more than once, also for other requests. Some are malformed. */
const idempotencyKey = usually(
  8,
  fc.nat(40).map((number) => `key-${number}`),
  fc.constantFrom(...STRANGE_KEYS),
);
const version = usually(
  10,
  fc.constant('HTTP/1.1'),
  fc.constantFrom('HTTP/1.0', 'HTTP/2', 'http/1.1', 'HTTP/1.1 ', ''),
);
const headerName = fc.constantFrom(
  ...'Accept-Encoding Expect Connection Cookie X-Lanes Transfer-Encoding Host Upgrade'.split(' '),
  ...'Content-Encoding Content-Type Content-Length Authorization Range Origin TE'.split(' '),
  ...[' A', 'Stripe-Signature', 'X-Forwarded-For', '', 'A:', 'Ä', 'a b'],
);
const headerValue = fc.oneof(
  fc.constantFrom(
    ...['', '*', 'gzip', 'br;q=0.5, *;q=0', 'chunked', 'Chunked', 'gzip, chunked', '100-continue'],
    ...'close keep-alive Upgrade websocket 0 -1 5 00005 0x5 1e1'.split(' '),
    '5, 5',
    ...['99999999999999999999', 'application/json', 'text/plain', 'Bearer', '\t'],
    'a'.repeat(20_000),
  ),
  strangeText.map((text) => text.replaceAll(/[\r\n]/g, ' ')),
);
const header = fc
  .tuple(headerName, headerValue, fc.constantFrom(': ', ':', ' : ', ':\t', ': \r\n '))
  .map(([name, value, colon]) => `${name}${colon}${value}`);

/** How the length of a body is told. */
type Framing = 'right' | 'none' | 'short' | 'long' | 'chunked' | 'wrong chunks' | 'both';
const WRONG_FRAMINGS = [
  ...(['none', 'short', 'long', 'chunked', 'chunked', 'wrong chunks', 'both'] as const),
];
const framing: fc.Arbitrary<Framing> = fc.oneof(
  { weight: 6, arbitrary: fc.constant('right' as const) },
  { weight: 4, arbitrary: fc.constantFrom(...WRONG_FRAMINGS) },
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
  const end = `${LINE_END}0${LINE_END}${LINE_END}`;
  return Buffer.concat([Buffer.from(`${written}${LINE_END}`), body, Buffer.from(end)]);
}

/** HTTP as it should be, so that half of the requests are judged by what they ask for. */
const undamaged = {
  version: 'HTTP/1.1',
  type: JSON_TYPE,
  framing: 'right',
  more: [] as string[],
  lineEnd: LINE_END,
} as const;

const STRANGE_CREDENTIALS = ['Authorization: Bearer x', 'Authorization: Basic eA=='];

/** A request with the key's secret in most cases. */
export function rawRequest(secret: string): fc.Arbitrary<RawRequest> {
  const key = usually(
    8,
    fc.constant(`Authorization: Bearer ${secret}`),
    fc.constantFrom(...STRANGE_CREDENTIALS),
  );
  const type = usually(8, fc.constant(JSON_TYPE), header);
  const size = fc.constantFrom('0', '-1', 'ffffffffffffffff', 'g', '5;a=b', '', '00000000000005');
  return fc
    .record({
      call,
      version,
      key,
      type,
      framing,
      size,
      isDamaged: fc.boolean(),
      idempotencyKey: fc.option(idempotencyKey),
      more: fc.array(header, { maxLength: 4 }),
      cutAt: fc.oneof(fc.constant(Infinity), fc.nat(400)),
      lineEnd: usually(12, fc.constant(LINE_END), fc.constant('\n')),
    })
    .map(({ isDamaged, ...drawn }) => {
      const given = isDamaged ? drawn : { ...drawn, ...undamaged };
      const { method, target, body } = given.call;
      const content = Buffer.from(body);
      const { idempotencyKey } = given;
      const lines = [
        ...[`${method} ${target} ${given.version}`, 'Host: localhost', given.key, given.type],
        ...(idempotencyKey === null ? [] : [`Idempotency-Key: ${idempotencyKey}`]),
        ...lengthLines(body === '' && given.call.isKnown ? 'none' : given.framing, content.length),
        ...[...given.more, '', ''],
      ];
      const head = Buffer.from(lines.join(given.lineEnd));
      const framed = frame(content, body === '' ? 'none' : given.framing, given.size);
      const bytes = Buffer.concat([head, framed]);
      const isSound = !isDamaged && isAnswered(given.call, content);
      return { bytes, cutAt: given.cutAt, isSound };
    });
}

/** Whether a call in HTTP as it should be is answered. Its keys, its fields, and its JSON may be wrong. */
function isAnswered({ method, target, isKnown }: Call, { length }: Buffer): boolean {
  // The server may close the connection before it has read a longer body.
  const hasBody = method === 'GET' || (length > 0 && length < SOUND_BYTES_MAX);
  return isKnown && hasBody && target.length < SOUND_BYTES_MAX;
}
