/** Settings of S3-compatible storage, for copies of an index. */
import type { SettingsPart } from './setting.ts';

export const objectStorageSettings = {
  s3Endpoint: {
    kind: 'text',
    variable: 'VERBATIM_S3_ENDPOINT',
    value: '',
    usualVariables: ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'],
    help: 'address of S3-compatible storage, such as `https://storage.example.org:9000`; empty: `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`, else Amazon S3',
  },
  s3Region: {
    kind: 'text',
    variable: 'VERBATIM_S3_REGION',
    value: 'us-east-1',
    usualVariables: ['AWS_REGION', 'AWS_DEFAULT_REGION'],
    help: 'region of the bucket; unset: `AWS_REGION`, `AWS_DEFAULT_REGION`',
  },
  s3AccessKey: {
    kind: 'text',
    variable: 'VERBATIM_S3_ACCESS_KEY',
    value: '',
    secret: true,
    usualVariables: ['AWS_ACCESS_KEY_ID'],
    help: 'access key of the storage; empty: `AWS_ACCESS_KEY_ID`',
  },
  s3SecretKey: {
    kind: 'text',
    variable: 'VERBATIM_S3_SECRET_KEY',
    value: '',
    secret: true,
    usualVariables: ['AWS_SECRET_ACCESS_KEY'],
    help: 'its secret; empty: `AWS_SECRET_ACCESS_KEY`',
  },
  s3SessionToken: {
    kind: 'text',
    variable: 'VERBATIM_S3_SESSION_TOKEN',
    value: '',
    secret: true,
    usualVariables: ['AWS_SESSION_TOKEN'],
    help: 'token of a temporary access key; empty: `AWS_SESSION_TOKEN`',
  },
  s3PathStyle: {
    kind: 'boolean',
    variable: 'VERBATIM_S3_PATH_STYLE',
    value: true,
    help: 'whether the bucket is in the path of an address; otherwise it is in the name of the host',
  },
  s3TimeoutMs: {
    kind: 'integer',
    variable: 'VERBATIM_S3_TIMEOUT_MS',
    value: 60_000,
    unit: 'ms',
    help: 'the longest that one request to the storage may take; none moves more than a MiB, except for manifests and listings',
  },
  s3AttemptsMax: {
    kind: 'integer',
    variable: 'VERBATIM_S3_ATTEMPTS_MAX',
    value: 6,
    unit: 'attempts',
    help: 'how often a request is sent while the storage is busy or cannot be reached',
  },
  s3RetryMs: {
    kind: 'integer',
    variable: 'VERBATIM_S3_RETRY_MS',
    value: 250,
    unit: 'ms',
    help: 'wait before the second attempt; it doubles with each further one',
  },
  s3RequestsMax: {
    kind: 'integer',
    variable: 'VERBATIM_S3_REQUESTS_MAX',
    value: 8,
    unit: 'requests',
    help: 'concurrent requests to the storage, each with a MiB in memory',
  },
  s3ResponseBytesMax: {
    kind: 'integer',
    variable: 'VERBATIM_S3_RESPONSE_BYTES_MAX',
    value: 64 * 1024 * 1024,
    unit: 'bytes',
    help: 'size of a manifest or a listing that is read',
  },
} as const satisfies SettingsPart;
