/** A client of one customer, which notes what it sent and what came back. */
import { createHash } from 'node:crypto';
import type { Customer } from '../measure/accounts.ts';
import {
  createClient as createConnection,
  headerOf,
  type Reply,
  searchRequest,
} from '../measure/clients.ts';

export const OK = 200;

/** What a client sent, and what came back. */
export interface Exchange {
  /** Which customer asked. */
  customerId: number;
  /** The key of a request that the client repeats until it is answered. */
  idempotencyKey?: string;
  /** 0: the connection ended, or was not to be had. */
  status: number;
  /** Undefined if no node answered. */
  requestId?: string;
  /** The request that was charged, if this answer repeats another one. */
  originalRequestId?: string;
  node?: string;
  /** SHA-256 of the body of an answer. */
  bodyHash?: string;
  /** Milliseconds since 1970. */
  sentAt: number;
  endedAt: number;
}

interface Search {
  query: string;
  limit: number;
  idempotencyKey?: string | undefined;
}

/** Returns a function that sends a search through the proxy at `port`. It never rejects. */
export function createClient(
  port: number,
  { id: customerId, secret }: Customer,
): (search: Search) => Promise<Exchange> {
  const client = createConnection(port);
  return async ({ query, limit, idempotencyKey }) => {
    const headers = idempotencyKey === undefined ? [] : [`Idempotency-Key: ${idempotencyKey}`];
    const sentAt = Date.now();
    const reply = await client.send(searchRequest(query, { port, secret }, { limit, headers }));
    const known = Object.entries({ ...noted(reply), idempotencyKey }).filter(([, value]) => value);
    const { status } = reply;
    return { customerId, status, sentAt, endedAt: Date.now(), ...Object.fromEntries(known) };
  };
}

function noted({ status, head, body }: Reply): Partial<Record<keyof Exchange, unknown>> {
  return {
    requestId: headerOf(head, 'x-request-id'),
    originalRequestId: headerOf(head, 'x-original-request-id'),
    node: headerOf(head, 'x-node'),
    bodyHash: status === OK ? createHash('sha256').update(body).digest('hex') : undefined,
  };
}
