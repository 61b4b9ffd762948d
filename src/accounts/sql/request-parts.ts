/**
 * The ids of a request that holds credit several times, such as a batch: each part has the id of the
 * request with its number. Ids of requests are UUIDs, so none of them ends like a part. Pure.
 */

/** More parts than any request has. */
const PARTS_MAX = 100;

/** Returns the id of a part. The first one is 1. */
export function partId(requestId: string, number: number): string {
  return `${requestId}-${number}`;
}

/** Returns the id of the request, and those of all parts that it may have. */
export function idsWithParts(requestId: string): string[] {
  const parts = Array.from({ length: PARTS_MAX }, (_, at) => partId(requestId, at + 1));
  return [requestId, ...parts];
}

/** Returns the id of the request that a part, or the request itself, belongs to. */
export function withoutPart(id: string): string {
  return id.replace(/-\d{1,3}$/, '');
}
