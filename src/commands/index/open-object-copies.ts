/** Opens the copies of an index in S3-compatible storage, with the settings of the storage. */

import { createObjectCopies, type ObjectCopies } from '../../index/copies/object-copies.ts';
import { openObjectStore } from '../../index/object-storage/object-store.ts';
import type { Settings } from '../../settings/config.ts';

/** Throws `usage` if the address, the endpoint, the region, or a key cannot be used. */
export function openObjectCopies(address: string, settings: Settings): ObjectCopies {
  return createObjectCopies(
    openObjectStore({
      address: address.replace(/\/$/, ''),
      endpoint: settings.s3Endpoint,
      region: settings.s3Region,
      pathStyle: settings.s3PathStyle,
      credentials: {
        accessKey: settings.s3AccessKey,
        secretKey: settings.s3SecretKey,
        sessionToken: settings.s3SessionToken,
      },
      timeoutMs: settings.s3TimeoutMs,
      attemptsMax: settings.s3AttemptsMax,
      retryMs: settings.s3RetryMs,
      responseBytesMax: settings.s3ResponseBytesMax,
    }),
  );
}
