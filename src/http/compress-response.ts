/** Compresses large responses for clients that accept it. */
import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  type ZlibOptions,
} from 'node:zlib';
import { chooseEncoding } from './accept-encoding.ts';
import type { HttpResponse } from './messages.ts';

/**
 * Bodies up to this size are compressed on the event loop, which takes about a millisecond; a
 * thread takes longer to start. 50 results with ordinary abstracts are smaller. Longer bodies go to
 * a thread.
 */
const SYNC_BYTES_MAX = 128 * 1024;

/** Fast levels: saving another 10% of the bytes would double the time. */
const gzipOptions: ZlibOptions = { level: 3 };
const brotliOptions: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

const gzipInThread = promisify<Buffer, ZlibOptions, Buffer>(gzip);
const brotliInThread = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);

const encoders = {
  gzip: {
    sync: (body: Buffer): Buffer => gzipSync(body, gzipOptions),
    async: (body: Buffer): Promise<Buffer> => gzipInThread(body, gzipOptions),
  },
  br: {
    sync: (body: Buffer): Buffer => brotliCompressSync(body, brotliOptions),
    async: (body: Buffer): Promise<Buffer> => brotliInThread(body, brotliOptions),
  },
} as const;

/**
 * Returns the response, compressed as `Accept-Encoding` asks. Only successful responses marked
 * `mayCompress` and longer than `uncompressedBytesMax` are compressed. Never rejects.
 */
export async function compressResponse(
  response: HttpResponse,
  acceptEncoding: string,
  uncompressedBytesMax: number,
): Promise<HttpResponse> {
  const { status, body, mayCompress = false } = response;
  if (!mayCompress || status !== 200 || typeof body !== 'string') return response;
  if (Buffer.byteLength(body) <= uncompressedBytesMax) return response;
  // Caches must know that other clients may get other bytes.
  const headers = { ...response.headers, Vary: 'Accept-Encoding' };
  const encoding = chooseEncoding(acceptEncoding);
  if (encoding === 'identity') return { ...response, headers };
  try {
    const compressed = await compress(Buffer.from(body), encoding);
    return { ...response, headers: { ...headers, 'Content-Encoding': encoding }, body: compressed };
  } catch {
    // Out of memory, for example. The search is paid for, so send it uncompressed.
    return { ...response, headers };
  }
}

function compress(body: Buffer, encoding: keyof typeof encoders): Buffer | Promise<Buffer> {
  const { sync, async } = encoders[encoding];
  return body.length <= SYNC_BYTES_MAX ? sync(body) : async(body);
}
