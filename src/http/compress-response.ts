/** Compresses answers that are worth it, for clients that ask for it. */
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
 * Up to this size, which 50 results with usual abstracts do not reach, the event loop compresses by
 * itself: that takes a millisecond, and another thread takes longer to begin. Abstracts may be so
 * long that an response has megabytes; those go to a thread.
 */
const AT_ONCE_BYTES_MAX = 128 * 1024;

/** Fast levels: the next tenth of the bytes would take twice the time. */
const gzipOptions: ZlibOptions = { level: 3 };
const brotliOptions: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

const gzipInThread = promisify<Buffer, ZlibOptions, Buffer>(gzip);
const brotliInThread = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);

const encoders = {
  gzip: {
    atOnce: (body: Buffer): Buffer => gzipSync(body, gzipOptions),
    inThread: (body: Buffer): Promise<Buffer> => gzipInThread(body, gzipOptions),
  },
  br: {
    atOnce: (body: Buffer): Buffer => brotliCompressSync(body, brotliOptions),
    inThread: (body: Buffer): Promise<Buffer> => brotliInThread(body, brotliOptions),
  },
} as const;

/**
 * The response, compressed as the client's `Accept-Encoding` asks, if it may be compressed, is not an
 * error, and is longer than `uncompressedBytesMax`. Never rejects.
 */
export async function compressResponse(
  response: HttpResponse,
  acceptEncoding: string,
  uncompressedBytesMax: number,
): Promise<HttpResponse> {
  const { status, body, mayCompress = false } = response;
  if (!mayCompress || status !== 200 || typeof body !== 'string') return response;
  if (Buffer.byteLength(body) <= uncompressedBytesMax) return response;
  // For caches: another client may get other bytes.
  const headers = { ...response.headers, Vary: 'Accept-Encoding' };
  const encoding = chooseEncoding(acceptEncoding);
  if (encoding === 'identity') return { ...response, headers };
  try {
    const compressed = await compress(Buffer.from(body), encoding);
    return { ...response, headers: { ...headers, 'Content-Encoding': encoding }, body: compressed };
  } catch {
    // For want of memory, say. The response is paid for, so it leaves as it is.
    return { ...response, headers };
  }
}

function compress(body: Buffer, encoding: keyof typeof encoders): Buffer | Promise<Buffer> {
  const { atOnce, inThread } = encoders[encoding];
  return body.length <= AT_ONCE_BYTES_MAX ? atOnce(body) : inThread(body);
}
