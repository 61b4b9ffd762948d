/**
 * Publishes an index to S3-compatible storage: makes the new copy in a folder on this machine, and
 * uploads what the storage does not have. The folder keeps the newest copy for the next time; if it is
 * lost, behind, or damaged, what it lacks is fetched first, so that the next one shares its pages.
 */
import { VerbatimError } from '../../errors.ts';
import { namesNone, type ObjectCopies, objectSource } from './object-copies.ts';
import { type Published, type PublishOptions, publishIndex } from './publish.ts';
import { pullIndex } from './pull.ts';
import { uploadCopy } from './upload.ts';

export interface PublishObjectsOptions extends PublishOptions {
  /** The folder on this machine. */
  folder: string;
  /** Concurrent requests to the storage. */
  requestsMax: number;
  /** As in `UploadOptions`. */
  isRead: boolean;
  showBytes: (what: string, bytes: number, bytesTotal: number) => void;
}

export interface PublishedObjects extends Published {
  sentBytes: number;
}

/** Throws what `publishIndex` and `uploadCopy` throw. Then the newest copy in the storage is as before. */
export async function publishObjects(
  copies: ObjectCopies,
  options: PublishObjectsOptions,
): Promise<PublishedObjects> {
  const { folder, keep, requestsMax, isRead, showBytes, signal } = options;
  const names = await copies.names(signal);
  const latest = await copies.latest(signal);
  // Beside other copies it is a damaged one of ours, which is replaced.
  if (latest !== undefined && latest.name === undefined && names.length === 0) {
    throw namesNone(copies);
  }
  if (latest?.name !== undefined) await fetchLatest(copies, options);
  const numbers = names.map((name) => Number.parseInt(name, 10));
  const published = await publishIndex(folder, {
    ...options,
    keep: 1,
    numberMin: 1 + Math.max(0, ...numbers),
  });
  const { sentBytes, deleted } = await uploadCopy(copies, {
    folder,
    name: published.name,
    keep,
    requestsMax,
    isRead,
    onProgress: (bytes, bytesTotal) => showBytes('are there', bytes, bytesTotal),
    signal,
  });
  return { ...published, sentBytes, deleted };
}

/** Brings the folder to the newest copy of the storage, unless that cannot be used. */
async function fetchLatest(
  copies: ObjectCopies,
  { folder, requestsMax, showBytes, signal }: PublishObjectsOptions,
): Promise<void> {
  try {
    await pullIndex(folder, {
      from: objectSource(copies, requestsMax),
      keep: 1,
      signal,
      onProgress: (bytes, bytesTotal) => showBytes('fetched', bytes, bytesTotal),
    });
  } catch (error) {
    // A damaged copy, or one of another version of the program, is replaced as a whole.
    const isUnusable =
      error instanceof VerbatimError && /^(verify_failed|migration_needed)$/.test(error.code);
    if (!isUnusable) throw error;
  }
}
