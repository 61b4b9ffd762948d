/** What an answer of the storage means. Pure. */
import { messageOf, VerbatimError } from '../../errors.ts';
import { isRegion } from './address.ts';
import { type Listing, parseListing, parseStorageError } from './object-xml.ts';
import type { StorageAnswer } from './send-signed.ts';

const PASSING = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
const PASSING_CODES = new Set(['RequestTimeout', 'SlowDown', 'InternalError', 'BadDigest']);

/** Whether the same request may get another answer soon. */
export function isPassing({ status, body }: StorageAnswer): boolean {
  return PASSING.has(status) || PASSING_CODES.has(parseStorageError(body.toString()).code);
}

/** Whether there is no such object. Not if the bucket is missing. */
export function isMissing({ status, body }: StorageAnswer): boolean {
  if (status !== 404) return false;
  const { code } = parseStorageError(body.toString());
  return code === '' || code === 'NoSuchKey';
}

/** The region that an answer names, if the request was signed for another one. */
export function otherRegion(
  { status, headers, body }: StorageAnswer,
  region: string,
): string | undefined {
  if (status < 300 || status > 400) return undefined;
  const named = headers.get('x-amz-bucket-region') ?? parseStorageError(body.toString()).region;
  return isRegion(named) && named !== region ? named : undefined;
}

/** Throws `storage_failed` for anything but a listing. */
export function listingOf(address: string, { body }: StorageAnswer): Listing {
  try {
    return parseListing(body.toString());
  } catch (error) {
    throw new VerbatimError('storage_failed', `${address}: ${messageOf(error)}`, { cause: error });
  }
}

/** The error for an answer that is not a good one. */
export function failureOf(
  address: string,
  { status, headers, body }: StorageAnswer,
): VerbatimError {
  const { code, message } = parseStorageError(body.toString());
  const what = [String(status), code].filter((part) => part !== '').join(' ');
  const why = message === '' ? '' : `: ${message}`;
  if (status >= 400) {
    return new VerbatimError('storage_failed', `${address}: the storage answers ${what}${why}`);
  }
  const location = headers.get('location') ?? '';
  const to = URL.canParse(location) ? ` to ${new URL(location).host}` : '';
  return new VerbatimError(
    'storage_failed',
    `${address}: the storage redirects${to} (${what}${why}); set VERBATIM_S3_ENDPOINT or VERBATIM_S3_REGION`,
  );
}
