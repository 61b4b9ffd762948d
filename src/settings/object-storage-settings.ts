/** Settings of S3-compatible storage, for copies of an index. */
import { limit, type SettingsPart } from './setting.ts';

export const objectStorageSettings = {
  s3Endpoint: {
    kind: 'text',
    value: '',
    usualVariables: ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'],
    help: 'address of S3-compatible storage, such as `https://storage.example.org:9000`; empty: `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`, else Amazon S3',
  },
  s3Region: {
    kind: 'text',
    value: 'us-east-1',
    usualVariables: ['AWS_REGION', 'AWS_DEFAULT_REGION'],
    help: 'region of the bucket; unset: `AWS_REGION`, `AWS_DEFAULT_REGION`',
  },
  s3AccessKey: {
    kind: 'text',
    value: '',
    secret: true,
    usualVariables: ['AWS_ACCESS_KEY_ID'],
    help: 'access key of the storage; empty: `AWS_ACCESS_KEY_ID`',
  },
  s3SecretKey: {
    kind: 'text',
    value: '',
    secret: true,
    usualVariables: ['AWS_SECRET_ACCESS_KEY'],
    help: 'its secret; empty: `AWS_SECRET_ACCESS_KEY`',
  },
  s3SessionToken: {
    kind: 'text',
    value: '',
    secret: true,
    usualVariables: ['AWS_SESSION_TOKEN'],
    help: 'token of a temporary access key; empty: `AWS_SESSION_TOKEN`',
  },
  s3PathStyle: {
    kind: 'boolean',
    value: true,
    help: 'whether the bucket is in the path of an address; otherwise it is in the name of the host',
  },
  s3TimeoutMs: limit(
    60_000,
    'ms',
    'the longest that one request to the storage may take; none moves more than a MiB, except for manifests and listings',
  ),
  s3AttemptsMax: limit(
    6,
    'attempts',
    'how often a request is sent while the storage is busy or cannot be reached',
  ),
  s3RetryMs: limit(250, 'ms', 'wait before the second attempt; it doubles with each further one'),
  s3RequestsMax: limit(
    8,
    'requests',
    'concurrent requests to the storage, each with a MiB in memory',
  ),
  s3ResponseBytesMax: limit(
    64 * 1024 * 1024,
    'bytes',
    'size of a manifest or a listing that is read',
  ),
} as const satisfies SettingsPart;
