/** Requests as they are recorded. */
import type { NewRequest, RequestCount } from '../../src/accounts/sql/request-rows.ts';

/** An answered search, but for what is given. */
export function recorded(
  request: Pick<NewRequest, 'customerId' | 'keyId' | 'createdAt'> & Partial<NewRequest>,
): NewRequest {
  return {
    requestId: crypto.randomUUID(),
    path: '/v1/search',
    status: 200,
    code: null,
    credits: request.code == null ? 1 : 0,
    milliseconds: 12,
    lanes: null,
    details: '{}',
    asked: null,
    ...request,
  };
}

/** Counts requests by day, the simple way. */
export function countsOf(requests: readonly NewRequest[]): RequestCount[] {
  return requests.map(({ customerId, keyId, path, status, code, createdAt }) => {
    const day = new Date(createdAt).toISOString().slice(0, 10);
    const what = { customerId, keyId, day, path, status, code: code ?? '' };
    return { ...what, calls: 1, lastAt: createdAt };
  });
}
