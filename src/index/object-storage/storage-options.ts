/** How to reach a bucket. */
import type { Credentials } from './send-signed.ts';

export interface ObjectStoreOptions {
  /** Such as `s3://bucket/prefix`. */
  address: string;
  /** Empty: Amazon's in the region. */
  endpoint: string;
  region: string;
  /** Whether the bucket is in the path and not in the name of the host. */
  pathStyle: boolean;
  credentials: Credentials;
  /** The longest that one request may take. */
  timeoutMs: number;
  /** How often a request is sent, at most. */
  attemptsMax: number;
  /** The wait before the second attempt; it doubles with each further one. */
  retryMs: number;
  /** The most bytes of an answer whose size is not known before. */
  responseBytesMax: number;
}
