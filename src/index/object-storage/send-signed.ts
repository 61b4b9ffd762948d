/** Sends one signed request and reads its answer. The only file that knows the library of signatures. */
import { hash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { readAtMost } from '../../read-at-most.ts';

export interface Credentials {
  accessKey: string;
  secretKey: string;
  /** Empty if the key is not a temporary one. */
  sessionToken: string;
}

export interface SignedRequest {
  method: 'GET' | 'PUT' | 'DELETE';
  url: URL;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array<ArrayBuffer>;
}

export interface SendOptions {
  credentials: Credentials;
  region: string;
  /** The longest that the request and its answer may take. */
  timeoutMs: number;
  /** The most bytes that an answer may have. */
  bytesMax: number;
  signal: AbortSignal;
}

export interface StorageAnswer {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** Throws if there is no whole answer in time. Follows no redirect: a signature is for one host. */
export async function sendSigned(
  { method, url, headers = {}, body }: SignedRequest,
  { credentials, region, timeoutMs, bytesMax, signal }: SendOptions,
): Promise<StorageAnswer> {
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    // The storage refuses a body that arrives with another hash.
    headers: { ...headers, 'x-amz-content-sha256': hash('sha256', body ?? '') },
    accessKeyId: credentials.accessKey,
    secretAccessKey: credentials.secretKey,
    ...(credentials.sessionToken === '' ? {} : { sessionToken: credentials.sessionToken }),
    service: 's3',
    region,
  });
  const signed = await signer.sign();
  const response = await fetch(signed.url, {
    method,
    headers: signed.headers,
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    ...(body === undefined ? {} : { body }),
  });
  const { status, headers: answered } = response;
  return { status, headers: answered, body: await readAtMost(response, bytesMax) };
}
