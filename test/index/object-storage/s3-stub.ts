/**
 * A stub of S3 on loopback: objects, conditional writes, listings in pages, and errors in S3's XML. It
 * computes every signature itself, and refuses a wrong one. Faults are answered in place of requests.
 */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { withLimits } from '../../support/limits.ts';

export const ACCESS_KEY = 'AKIDEXAMPLE';
export const SECRET_KEY = 'a-secret-that-nobody-may-see';
const BUCKET = 'bucket';
const DAY_MS = 86_400_000;

interface Stored {
  body: Buffer;
  modifiedAt: number;
}

export interface Received {
  method: string;
  /** Without the bucket. */
  key: string;
  headers: IncomingMessage['headers'];
}

/** What is answered in place of a request. */
export type Fault =
  | { status: number; code?: string; message?: string; region?: string; location?: string }
  | 'reset'
  | 'hang'
  | 'truncate'
  | 'garble'
  /** Does what is asked, and breaks the connection before the answer. */
  | 'forget';

export interface S3Stub {
  endpoint: string;
  region: string;
  objects: Map<string, Stored>;
  received: Received[];
  /** Called for each request with a good signature. */
  faultOf: (request: Received) => Fault | undefined;
  hasConditions: boolean;
  /** Names a content, as the storage lists it. MD5, unless the storage encrypts. */
  tagOf: (body: Buffer) => string;
  keysPerPage: number;
  sessionToken: string;
  /** Makes all objects older. */
  age(days: number): void;
  close(): Promise<void>;
}

export async function startS3Stub(): Promise<S3Stub> {
  const server = createServer((request, response) => {
    answer(stub, request, response).catch((error: unknown) => {
      response.destroy(error as Error);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stub: S3Stub = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    objects: new Map(),
    received: [],
    faultOf: () => undefined,
    hasConditions: true,
    tagOf: md5,
    keysPerPage: 1000,
    sessionToken: '',
    age(days) {
      for (const object of stub.objects.values()) object.modifiedAt -= days * DAY_MS;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  onTestFinished(() => stub.close());
  return stub;
}

/** The variables with which a command reaches the stub. */
export function stubVariables({ endpoint }: S3Stub): Record<string, string> {
  return {
    VERBATIM_S3_ENDPOINT: endpoint,
    AWS_ACCESS_KEY_ID: ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: SECRET_KEY,
    ...withLimits({ s3RetryMs: 1 }),
  };
}

async function answer(
  stub: S3Stub,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', stub.endpoint);
  const [, bucket = '', ...rest] = url.pathname.split('/');
  const key = rest.join('/');
  const { method = '', headers } = request;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const fail = (status: number, code: string, more: { region?: string; message?: string } = {}) =>
    sendError(response, { status, code, ...more });
  if (bucket !== BUCKET) return fail(404, 'NoSuchBucket');
  const signed = signatureFault(stub, request, { url, body });
  if (signed !== undefined) return fail(...signed);
  const received = { method, key, headers };
  stub.received.push(received);
  const fault = stub.faultOf(received);
  if (fault === 'hang') return;
  if (fault === 'reset') return void response.destroy();
  if (typeof fault === 'object') return sendError(response, fault);
  const stored = stub.objects.get(key);
  if (method === 'PUT') {
    const condition = conditionFault(stub, headers, stored);
    if (condition !== undefined) return fail(...condition);
    stub.objects.set(key, { body, modifiedAt: Date.now() });
    if (fault === 'forget') return void response.destroy();
    response.setHeader('etag', `"${stub.tagOf(body)}"`).end();
    return;
  }
  if (method === 'DELETE') {
    stub.objects.delete(key);
    response.writeHead(204).end();
    return;
  }
  if (key === '') return sendListing(stub, url, response);
  if (stored === undefined) return fail(404, 'NoSuchKey', { message: 'There is no such key.' });
  response.setHeader('etag', `"${stub.tagOf(stored.body)}"`);
  response.setHeader('content-length', stored.body.length);
  if (fault === 'truncate') {
    response.write(stored.body.subarray(0, stored.body.length / 2), () => response.destroy());
    return;
  }
  response.end(fault === 'garble' ? stored.body.map((byte) => byte ^ 1) : stored.body);
}

type ErrorAnswer = [status: number, code: string, more?: { region?: string; message?: string }];

function conditionFault(
  stub: S3Stub,
  headers: IncomingMessage['headers'],
  stored: Stored | undefined,
): ErrorAnswer | undefined {
  const { 'if-none-match': isNew, 'if-match': tag } = headers;
  if (isNew === undefined && tag === undefined) return undefined;
  if (!stub.hasConditions) return [501, 'NotImplemented'];
  if (isNew === '*' && stored !== undefined) return [412, 'PreconditionFailed'];
  if (tag !== undefined && stored === undefined) return [404, 'NoSuchKey'];
  if (tag !== undefined && stored !== undefined && tag !== `"${stub.tagOf(stored.body)}"`) {
    return [412, 'PreconditionFailed'];
  }
  return undefined;
}

function sendListing(stub: S3Stub, url: URL, response: ServerResponse): void {
  const prefix = url.searchParams.get('prefix') ?? '';
  const after = url.searchParams.get('continuation-token')?.replace(/^next=\+/, '') ?? '';
  const keys = [...stub.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
  const left = keys.filter((key) => key > after);
  const page = left.slice(0, stub.keysPerPage);
  const isCut = left.length > page.length;
  const contents = page.map((key) => {
    const { body, modifiedAt } = stub.objects.get(key) as Stored;
    const time = new Date(modifiedAt).toISOString();
    return `<Contents><Key>${key}</Key><LastModified>${time}</LastModified><ETag>&quot;${stub.tagOf(body)}&quot;</ETag><Size>${body.length}</Size></Contents>`;
  });
  const next = isCut ? `<NextContinuationToken>next=+${page.at(-1)}</NextContinuationToken>` : '';
  response.setHeader('content-type', 'application/xml').end(
    `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>${isCut}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`,
  );
}

function sendError(
  response: ServerResponse,
  fault: { status: number; code?: string; message?: string; region?: string; location?: string },
): void {
  const { status, code, message = 'A reason.', region, location } = fault;
  if (location !== undefined) response.setHeader('location', location);
  if (region !== undefined) response.setHeader('x-amz-bucket-region', region);
  const body =
    code === undefined
      ? '<html>not of S3'
      : `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message>${
          region === undefined ? '' : `<Region>${region}</Region>`
        }<StringToSign>${SECRET_KEY}</StringToSign></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body);
}

function md5(body: Buffer): string {
  return createHash('md5').update(body).digest('hex');
}

/** Computes the signature of version 4 from what arrived. */
function signatureFault(
  { region, sessionToken }: S3Stub,
  { method, headers }: IncomingMessage,
  { url, body }: { url: URL; body: Buffer },
): ErrorAnswer | undefined {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([\da-f]{64})$/;
  const [, accessKey, day = '', signedFor = '', names = '', signature] =
    pattern.exec(headers.authorization ?? '') ?? [];
  const time = String(headers['x-amz-date']);
  const bodyHash = createHash('sha256').update(body).digest('hex');
  if (signedFor !== region) return [400, 'AuthorizationHeaderMalformed', { region }];
  if (headers['x-amz-content-sha256'] !== bodyHash) return [400, 'XAmzContentSHA256Mismatch'];
  if ((headers['x-amz-security-token'] ?? '') !== sessionToken) return [400, 'InvalidToken'];
  const encode = (text: string) => encodeURIComponent(text);
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, url.pathname, query, signed.join(''), names, bodyHash].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = [
    'AWS4-HMAC-SHA256',
    time,
    scope,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n');
  let key: string | Buffer = `AWS4${SECRET_KEY}`;
  for (const part of [day, region, 's3', 'aws4_request']) {
    key = createHmac('sha256', key).update(part).digest();
  }
  const expected = createHmac('sha256', key).update(text).digest('hex');
  const isWhole = ['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) =>
    names.split(';').includes(name),
  );
  if (accessKey === ACCESS_KEY && isWhole && time.startsWith(day) && signature === expected) {
    return undefined;
  }
  return [403, 'SignatureDoesNotMatch'];
}
