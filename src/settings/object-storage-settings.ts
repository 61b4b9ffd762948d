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
    kind: 'limit',
    value: 60_000,
    unit: 'ms',
    why: 'the longest that one request to the storage may take; none moves more than a MiB, except for manifests and listings',
  },
  s3AttemptsMax: {
    kind: 'limit',
    value: 6,
    unit: 'attempts',
    why: 'how often a request is sent while the storage is busy or cannot be reached',
  },
  s3RetryMs: {
    kind: 'limit',
    value: 250,
    unit: 'ms',
    why: 'wait before the second attempt; it doubles with each further one',
  },
  s3RequestsMax: {
    kind: 'limit',
    value: 8,
    unit: 'requests',
    why: 'concurrent requests to the storage, each with a MiB in memory',
  },
  s3ResponseBytesMax: {
    kind: 'limit',
    value: 64 * 1024 * 1024,
    unit: 'bytes',
    why: 'size of a manifest or a listing that is read',
  },
} as const satisfies SettingsPart;
