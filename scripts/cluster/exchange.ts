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

export const OK = 200;
export const UNAVAILABLE = 503;
