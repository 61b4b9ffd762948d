/** A client of one customer, which notes what it sent and what came back. */
import { createHash } from 'node:crypto';
import { type Connection, connect, type Reply } from '../bench/connection.ts';
import { type Exchange, OK } from './exchange.ts';

export interface Customer {
  id: number;
  secret: string;
}

export interface Search {
  query: string;
  limit: number;
  idempotencyKey?: string | undefined;
}

/** What came back, with the body if anything did. */
export interface SearchOutcome {
  exchange: Exchange;
  body?: Buffer | undefined;
}

/** Returns a function that sends a search through the proxy at `port`. It never rejects. */
export function createClient(
  port: number,
  { id: customerId, secret }: Customer,
): (search: Search) => Promise<SearchOutcome> {
  const ask = createAsker(port);
  return async (search) => {
    const { idempotencyKey } = search;
    const sentAt = Date.now();
    const reply = await ask(toRequest(search, secret));
    return {
      exchange: toExchange(reply, { sentAt, customerId, idempotencyKey }),
      body: reply?.body,
    };
  };
}

/** A client's connection, which it opens again after it has ended. Resolves to undefined if it breaks. */
function createAsker(port: number): (request: Buffer) => Promise<Reply | undefined> {
  let connection: Connection | undefined;
  return async (request) => {
    try {
      connection ??= await connect(port);
      const reply = await connection.send(request);
      if (/^connection: *close/im.test(reply.head)) throw new Ended(reply);
      return reply;
    } catch (error) {
      connection?.close();
      connection = undefined;
      return error instanceof Ended ? error.reply : undefined;
    }
  };
}

/** A connection that its last answer has ended. */
class Ended extends Error {
  readonly reply: Reply;
  constructor(reply: Reply) {
    super('the connection has ended');
    this.reply = reply;
  }
}

function toRequest({ query, limit, idempotencyKey }: Search, secret: string): Buffer {
  const body = JSON.stringify({ query, limit });
  const headers = [
    'POST /v1/search HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${secret}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(idempotencyKey === undefined ? [] : [`Idempotency-Key: ${idempotencyKey}`]),
  ];
  return Buffer.from(`${headers.join('\r\n')}\r\n\r\n${body}`);
}

interface Sent {
  customerId: number;
  idempotencyKey: string | undefined;
  sentAt: number;
}

function toExchange(
  reply: Reply | undefined,
  { customerId, idempotencyKey, sentAt }: Sent,
): Exchange {
  const header = (name: string): string | undefined =>
    new RegExp(`^${name}: *(\\S+)`, 'im').exec(reply?.head ?? '')?.[1];
  const fields = {
    idempotencyKey,
    requestId: header('x-request-id'),
    originalRequestId: header('x-original-request-id'),
    node: header('x-node'),
    bodyHash:
      reply?.status === OK ? createHash('sha256').update(reply.body).digest('hex') : undefined,
  };
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    customerId,
    status: reply?.status ?? 0,
    sentAt,
    endedAt: Date.now(),
    ...Object.fromEntries(known),
  };
}
