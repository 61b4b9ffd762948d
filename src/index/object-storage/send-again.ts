/**
 * Sends a request until there is an answer that a repetition would not change: not while the storage
 * is busy or cannot be reached, and to the region that has the bucket.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf, VerbatimError } from '../../errors.ts';
import { bucketUrl, parseBucketAddress } from './address.ts';
import { isPassing, otherRegion } from './read-answer.ts';
import { type SignedRequest, type StorageAnswer, sendSigned } from './send-signed.ts';
import type { ObjectStoreOptions } from './storage-options.ts';

export interface BucketRequest extends Omit<SignedRequest, 'url'> {
  /** Behind the bucket, without a slash at its start. */
  path: string;
  search?: Readonly<Record<string, string>>;
}

export interface SendWanted {
  signal: AbortSignal;
  /** The most bytes of the answer, if they are known. */
  bytesMax?: number;
  /** Whether the body of a good answer arrived as it should. */
  isWhole?: (body: Buffer) => boolean;
}

export type Send = (request: BucketRequest, wanted: SendWanted) => Promise<StorageAnswer>;

/** Room for the text of an error where a short body is expected. */
const ERROR_BYTES = 64 * 1024;
const WAIT_MS_MAX = 20_000;

/** Returns the function that sends. It throws `storage_failed` if there is no answer at all. */
export function createSend(options: ObjectStoreOptions): Send {
  const { address, endpoint, pathStyle, credentials, timeoutMs, attemptsMax } = options;
  const { bucket } = parseBucketAddress(address);
  let { region } = options;
  const urlOf = ({ path, search = {} }: Pick<BucketRequest, 'path' | 'search'>): URL => {
    const url = bucketUrl(bucket, { endpoint, region, isInPath: pathStyle });
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`;
    for (const [name, value] of Object.entries(search)) url.searchParams.set(name, value);
    return url;
  };
  // Refuses a malformed endpoint before the first request.
  urlOf({ path: '' });
  const attempt = (request: BucketRequest, { signal, bytesMax }: SendWanted) => {
    const { path, search, ...rest } = request;
    const most = Math.max(bytesMax ?? options.responseBytesMax, ERROR_BYTES);
    const url = urlOf({ path, ...(search && { search }) });
    return sendSigned({ ...rest, url }, { credentials, region, timeoutMs, bytesMax: most, signal });
  };
  return async (request, wanted) => {
    const { signal, isWhole = () => true } = wanted;
    for (let count = 1; ; count++) {
      const isLast = count >= attemptsMax;
      try {
        const answer = await attempt(request, wanted);
        const other = otherRegion(answer, region);
        const isDone = answer.status < 300 ? isWhole(answer.body) : !isPassing(answer);
        if (isLast || (isDone && other === undefined)) return answer;
        if (other !== undefined) {
          region = other;
          continue;
        }
      } catch (error) {
        signal.throwIfAborted();
        if (isLast) throw unanswered(address, urlOf(request).host, error);
      }
      await wait(waitMs(count, options.retryMs), undefined, { signal });
    }
  };
}

/** At random between a half and the whole, so that clients do not come back together. */
function waitMs(count: number, retryMs: number): number {
  return Math.min(WAIT_MS_MAX, retryMs * 2 ** (count - 1)) * (0.5 + Math.random() / 2);
}

function unanswered(address: string, host: string, error: unknown): VerbatimError {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  const why = name === 'TimeoutError' ? 'not in time' : (cause?.code ?? messageOf(error));
  const message = `${address}: no whole answer from ${host}: ${why}`;
  return new VerbatimError('storage_failed', message, { cause: error });
}
