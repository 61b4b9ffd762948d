/** What lanes keep of answers, so that a provider is not asked the same again within a day. */
import { createHash } from 'node:crypto';
import type { LaneDocument, ProviderName } from '../lane/lane.ts';
import type { HttpRequest } from '../transport/http-client.ts';

/** Kept answers by key; neither function throws, and neither waits for anybody. */
export interface LaneCache {
  /** Undefined where there is none, or it is too old. */
  read(key: string): string | undefined;
  /** Keeps an answer if that can be done without getting in anybody's way. */
  write(key: string, answer: string): void;
}

/** Counted up whenever documents are made in another way: what was kept before is not found. */
const FORMAT = 3;

/** A key of the request that leaves, which does not tell the question. */
export function cacheKey(provider: ProviderName, { url, body = '' }: HttpRequest): string {
  return createHash('sha256').update([FORMAT, provider, url.href, body].join('\n')).digest('hex');
}

export function readDocuments(cache: LaneCache, key: string): LaneDocument[] | undefined {
  const answer = cache.read(key);
  if (answer === undefined) return undefined;
  try {
    return JSON.parse(answer) as LaneDocument[];
  } catch {
    // What is damaged is asked for again.
    return undefined;
  }
}

export function writeDocuments(cache: LaneCache, key: string, documents: LaneDocument[]): void {
  cache.write(key, JSON.stringify(documents));
}
