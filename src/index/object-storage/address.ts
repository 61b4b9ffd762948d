/** Addresses of objects, and the hosts that have them. Pure. */
import { VerbatimError } from '../../errors.ts';

/** A bucket and what the keys of its objects begin with. */
export interface BucketAddress {
  bucket: string;
  /** Empty, or with a slash at its end. */
  prefix: string;
}

const SCHEME = 's3://';
const BUCKET = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/;
/** Only characters that no part of a signature encodes in two ways. */
const PREFIX = /^[\w.-]+(?:\/[\w.-]+)*$/;
const PREFIX_CHARACTERS_MAX = 500;
const REGION = /^[a-z\d-]{1,40}$/;

export function isBucketAddress(text: string): boolean {
  return text.startsWith(SCHEME);
}

/** Parses `s3://BUCKET/PREFIX`. Throws `usage`. */
export function parseBucketAddress(text: string): BucketAddress {
  const [bucket = '', ...rest] = text.slice(SCHEME.length).split('/');
  const refuse = (why: string): never => {
    throw new VerbatimError(
      'usage',
      `${text} is not an address such as s3://bucket/prefix: ${why}`,
    );
  };
  if (!BUCKET.test(bucket) || bucket.includes('..')) {
    refuse('a bucket has 3 to 63 lower-case letters, digits, dots, and hyphens');
  }
  const prefix = rest.join('/').replace(/\/$/, '');
  if (prefix === '') return { bucket, prefix };
  const hasDots = prefix.split('/').some((part) => /^\.{1,2}$/.test(part));
  if (!PREFIX.test(prefix) || hasDots || prefix.length > PREFIX_CHARACTERS_MAX) {
    refuse(
      'a prefix has letters, digits, dots, hyphens, and underscores, with single slashes between',
    );
  }
  return { bucket, prefix: `${prefix}/` };
}

export interface EndpointOptions {
  /** Empty: Amazon's in the region. */
  endpoint: string;
  region: string;
  /** Whether the bucket is in the path and not in the name of the host. */
  isInPath: boolean;
}

/** Returns the address of a bucket, without a slash at its end. Throws `usage`. */
export function bucketUrl(bucket: string, { endpoint, region, isInPath }: EndpointOptions): URL {
  const url = endpoint === '' ? amazonUrl(region) : parseEndpoint(endpoint);
  if (isInPath) url.pathname = `/${bucket}`;
  else url.hostname = `${bucket}.${url.hostname}`;
  return url;
}

/** Whether a text can be the name of a region. */
export function isRegion(text: string): boolean {
  return REGION.test(text);
}

function amazonUrl(region: string): URL {
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return new URL(`https://s3.${region}.${domain}`);
}

function parseEndpoint(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isPlain =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (isPlain) return url;
  throw new VerbatimError(
    'usage',
    'VERBATIM_S3_ENDPOINT must be an address such as https://storage.example.org:9000, without a path or a password',
  );
}
