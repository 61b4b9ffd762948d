/** Documents of earlier responses, so that a provider is not asked the same question again for a day. */
import { createHash } from 'node:crypto';
import type { LaneDocument, ProviderName } from '../lane/lane.ts';
import type { HttpRequest } from '../lane/provider.ts';
import type { LaneCache } from '../records/lane-cache.ts';

/** Counted up whenever documents are made in another way. Older entries are then not found. */
const FORMAT = 3;

/** A digest of the request that is sent. It does not reveal the question. */
export function cacheKey(provider: ProviderName, { url, body = '' }: HttpRequest): string {
  return createHash('sha256').update([FORMAT, provider, url.href, body].join('\n')).digest('hex');
}

export async function readDocuments(
  cache: LaneCache,
  key: string,
): Promise<LaneDocument[] | undefined> {
  const entry = await cache.read(key);
  if (entry === undefined) return undefined;
  try {
    return JSON.parse(entry) as LaneDocument[];
  } catch {
    // The provider is asked again for a damaged entry.
    return undefined;
  }
}

export function writeDocuments(cache: LaneCache, key: string, documents: LaneDocument[]): void {
  cache.write(key, JSON.stringify(documents));
}
