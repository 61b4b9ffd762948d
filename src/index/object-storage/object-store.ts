/**
 * Objects in a bucket of S3-compatible storage. Every request has a time limit and is repeated a few
 * times when the storage is busy or the connection breaks.
 */
import { VerbatimError } from '../../errors.ts';
import { isRegion, parseBucketAddress } from './address.ts';
import type { ListedObject } from './object-xml.ts';
import { failureOf, isMissing, listingOf } from './read-answer.ts';
import { createSend, type SendWanted } from './send-again.ts';
import type { ObjectStoreOptions } from './storage-options.ts';

export interface StoredObject {
  body: Buffer;
  /** Names this content of the object, for `PutCondition`. */
  tag: string;
}

/** Writes only a new object, or only in place of the content with this tag. */
export type PutCondition = { isNew: true } | { tag: string };

export interface PutOptions {
  signal: AbortSignal;
  condition?: PutCondition;
}

export interface ListedNow extends ListedObject {
  /** Milliseconds since it was written, by the clock of the storage; NaN if that is not known. */
  ageMs: number;
}

/** Keys begin behind the prefix. All methods throw `storage_failed`, and what the signal says. */
export interface ObjectStore {
  /** For messages. */
  readonly address: string;
  /**
   * Reads an object; undefined if there is none. Reads again what `isWhole` refuses, and in the end
   * returns it.
   */
  get(key: string, wanted: SendWanted): Promise<StoredObject | undefined>;
  /** Writes an object, whole or not at all. Returns false if the condition does not hold. */
  put(key: string, body: Uint8Array<ArrayBuffer>, options: PutOptions): Promise<boolean>;
  /** Deletes an object, if there is one. */
  delete(key: string, signal: AbortSignal): Promise<void>;
  /** Lists the objects whose keys begin so, in pages. */
  list(from: string, signal: AbortSignal): AsyncGenerator<ListedNow[]>;
}

/** Throws `usage` if the address, the endpoint, the region, or a credential cannot be used. */
export function openObjectStore(options: ObjectStoreOptions): ObjectStore {
  const { address } = options;
  const { prefix } = parseBucketAddress(address);
  assertUsable(options);
  const send = createSend(options);
  return {
    address,
    async get(key, wanted) {
      const answer = await send({ method: 'GET', path: prefix + key }, wanted);
      if (isMissing(answer)) return undefined;
      if (answer.status !== 200) throw failureOf(address, answer);
      return { body: answer.body, tag: answer.headers.get('etag') ?? '' };
    },
    async put(key, body, { signal, condition }) {
      const request = { method: 'PUT', path: prefix + key, body } as const;
      let answer = await send({ ...request, headers: headersOf(condition) }, { signal });
      // A storage without conditional writes.
      if (condition && answer.status === 501) answer = await send(request, { signal });
      if (condition && answer.status === 412) return false;
      if (answer.status !== 200) throw failureOf(address, answer);
      return true;
    },
    async delete(key, signal) {
      const answer = await send({ method: 'DELETE', path: prefix + key }, { signal });
      if (answer.status >= 300 && !isMissing(answer)) throw failureOf(address, answer);
    },
    async *list(from, signal) {
      for (let token: string | undefined = ''; token !== undefined; ) {
        const search = {
          'list-type': '2',
          prefix: prefix + from,
          ...(token === '' ? {} : { 'continuation-token': token }),
        };
        const answer = await send({ method: 'GET', path: '', search }, { signal });
        if (answer.status !== 200) throw failureOf(address, answer);
        const { objects, next } = listingOf(address, answer);
        const now = Date.parse(answer.headers.get('date') ?? '');
        yield objects
          .filter(({ key }) => key.startsWith(prefix + from))
          .map((one) => ({
            ...one,
            key: one.key.slice(prefix.length),
            ageMs: now - one.modifiedAt,
          }));
        token = next;
      }
    },
  };
}

function headersOf(condition: PutCondition | undefined): Record<string, string> {
  if (condition === undefined) return {};
  return 'isNew' in condition ? { 'if-none-match': '*' } : { 'if-match': condition.tag };
}

function assertUsable({ region, credentials, address }: ObjectStoreOptions): void {
  if (!isRegion(region)) {
    throw new VerbatimError('usage', `VERBATIM_S3_REGION: ${region} is not the name of a region`);
  }
  if (credentials.accessKey !== '' && credentials.secretKey !== '') return;
  throw new VerbatimError(
    'usage',
    `${address} needs VERBATIM_S3_ACCESS_KEY and VERBATIM_S3_SECRET_KEY, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
  );
}
