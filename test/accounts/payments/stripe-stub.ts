/**
 * Stripe as far as we use it: an API on loopback that keeps sessions, with idempotency keys, pages
 * and faults, and a sender of events that signs them as Stripe's documentation says.
 */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createStubCards, type StubCards } from './stripe-cards-stub.ts';

export const SECRET_KEY = 'sk_test_ofTheStub0123456789';
export const WEBHOOK_SECRET = 'whsec_ofTheStub0123456789';

export interface StubRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  parameters: URLSearchParams;
}

export interface StubSession {
  id: string;
  parameters: URLSearchParams;
  /** What is listed for it, besides what it was made with. */
  listed?: Record<string, unknown>;
}

/**
 * What the API does with a request instead of serving it: before its work (`hang`, `drop`), or instead of
 * the answer (`hang_after_work`, `after_work`).
 */
export type Fault = 'hang' | 'drop' | 'hang_after_work' | 'after_work' | number;

export interface StripeStub {
  address: string;
  requests: StubRequest[];
  sessions: StubSession[];
  /** For the next requests, one each. */
  faults: Fault[];
  /** Bodies that the next requests get with the status 200, one each. */
  bodies: string[];
  /** Fields that the answers about sessions have instead of their own. */
  changed: Record<string, unknown>;
  cards: StubCards;
  close(): Promise<void>;
}

const PAGE = 2;

export async function startStripeStub(): Promise<StripeStub> {
  const byIdempotencyKey = new Map<string, StubSession>();
  const server = createServer((request, response) => {
    void readBody(request).then((body) => serve(request, body, response));
  });
  const stub: Omit<StripeStub, 'address' | 'close'> = {
    requests: [],
    sessions: [],
    faults: [],
    bodies: [],
    changed: {},
    cards: createStubCards(),
  };

  function serve(request: IncomingMessage, body: string, response: ServerResponse): void {
    const { method = '', url = '', headers } = request;
    const { pathname, searchParams } = new URL(url, 'http://stub');
    const parameters = method === 'GET' ? searchParams : new URLSearchParams(body);
    stub.requests.push({ method, path: pathname, headers, parameters });
    const fault = stub.faults.shift();
    if (fault === 'hang') return;
    if (fault === 'drop') {
      response.destroy();
      return;
    }
    if (typeof fault === 'number') {
      send(response, fault, { error: { type: 'api_error', message: `no luck, ${SECRET_KEY}` } });
      return;
    }
    if (headers.authorization !== `Bearer ${SECRET_KEY}`) {
      send(response, 401, {
        error: { type: 'invalid_request_error', message: `Invalid API Key: ${SECRET_KEY}` },
      });
      return;
    }
    const text = stub.bodies.shift();
    if (text !== undefined) {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(text);
      return;
    }
    const idempotencyKey = String(headers['idempotency-key']);
    const card = stub.cards.respond({ method, path: pathname, parameters, idempotencyKey });
    if (card !== undefined) {
      if (fault === 'after_work') response.destroy();
      else if (fault !== 'hang_after_work') send(response, card.status, card.body);
      return;
    }
    const known = stub.sessions.find(({ id }) => pathname.includes(`/${id}`));
    if (known !== undefined) {
      const isOpen = known.listed?.['status'] === undefined;
      if (method === 'POST' && isOpen) known.listed = { ...known.listed, status: 'expired' };
      const error = { type: 'invalid_request_error', message: 'This session is not open.' };
      if (method === 'POST' && !isOpen) send(response, 400, { error });
      else send(response, 200, describeSession(known));
      return;
    }
    if (method === 'GET') {
      send(response, 200, listPage(stub.sessions, parameters));
      return;
    }
    const session = byIdempotencyKey.get(idempotencyKey) ?? {
      id: `cs_test_${stub.sessions.length + 1}`,
      parameters,
    };
    if (!byIdempotencyKey.has(idempotencyKey)) stub.sessions.push(session);
    byIdempotencyKey.set(idempotencyKey, session);
    if (fault === 'after_work') response.destroy();
    else send(response, 200, { ...describeSession(session), ...stub.changed });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...stub,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listPage(sessions: readonly StubSession[], parameters: URLSearchParams): unknown {
  const newestFirst = [...sessions].reverse();
  const after = parameters.get('starting_after');
  const start = newestFirst.findIndex(({ id }) => id === after) + 1;
  return {
    object: 'list',
    url: '/v1/checkout/sessions',
    has_more: start + PAGE < newestFirst.length,
    data: newestFirst.slice(start, start + PAGE).map(describeSession),
  };
}

function describeSession({ id, parameters, listed = {} }: StubSession): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  const price = 'line_items[0][price_data]';
  return {
    id,
    object: 'checkout.session',
    mode: parameters.get('mode'),
    created: now,
    url: `https://checkout.stripe.com/c/pay/${id}`,
    expires_at: now + 86_400,
    client_reference_id: parameters.get('client_reference_id'),
    amount_total: Number(parameters.get(`${price}[unit_amount]`)),
    currency: parameters.get(`${price}[currency]`),
    metadata: { verbatim_order: parameters.get('metadata[verbatim_order]') },
    payment_intent: null,
    payment_status: 'unpaid',
    ...listed,
  };
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': 'req_stub' });
  response.end(JSON.stringify(value));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

export interface SignOptions {
  secret?: string;
  /** Seconds since 1970. */
  timestamp?: number;
}

/** `Stripe-Signature` of a body: HMAC-SHA256 of the time, a dot and the body. */
export function sign(body: string | Buffer, options: SignOptions = {}): string {
  const { secret = WEBHOOK_SECRET, timestamp = Math.floor(Date.now() / 1000) } = options;
  const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  return `t=${timestamp},v1=${hmac}`;
}

/** Sends an event as it is, signed unless another signature is given. */
export function deliver(
  url: string,
  event: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  return fetch(`${url}/webhooks/stripe`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Stripe-Signature': sign(body), ...headers },
    body,
  });
}

let events = 0;

export interface EventOptions {
  id?: string;
  /** Seconds since 1970. */
  created?: number;
}

/** An event around an object, with an id of its own. */
export function stripeEvent(
  type: string,
  object: Record<string, unknown>,
  { id = `evt_${++events}`, created = 1_790_000_000 }: EventOptions = {},
): Record<string, unknown> {
  return {
    id,
    object: 'event',
    api_version: '2026-01-28',
    livemode: false,
    pending_webhooks: 1,
    created,
    type,
    data: { object },
  };
}

export interface PaidOrder {
  orderId: string;
  session: string;
  paymentIntent: string;
  amount: number;
  currency: string;
}

/** A session of an order, paid unless something else is said. */
export function sessionObject(
  order: PaidOrder,
  changed: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    id: order.session,
    object: 'checkout.session',
    mode: 'payment',
    status: 'complete',
    amount_total: order.amount,
    currency: order.currency,
    payment_status: 'paid',
    payment_intent: order.paymentIntent,
    metadata: { verbatim_order: order.orderId },
    ...changed,
  };
}

/** The charge of an order, of which so much was refunded in all. */
export function chargeObject(
  order: PaidOrder,
  amountRefunded: number,
  changed: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    id: `ch_of_${order.paymentIntent}`,
    object: 'charge',
    payment_intent: order.paymentIntent,
    amount: order.amount,
    amount_refunded: amountRefunded,
    currency: order.currency,
    refunded: amountRefunded === order.amount,
    metadata: { verbatim_order: order.orderId },
    ...changed,
  };
}

/** A refund of an order by itself. It does not name the order. */
export function refundObject(
  order: PaidOrder,
  amount: number,
  changed: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    id: `re_${amount}_of_${order.paymentIntent}`,
    object: 'refund',
    amount,
    charge: `ch_of_${order.paymentIntent}`,
    currency: order.currency,
    metadata: {},
    payment_intent: order.paymentIntent,
    status: 'succeeded',
    ...changed,
  };
}

export function disputeObject(
  order: PaidOrder,
  status: string,
  changed: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    id: `dp_of_${order.paymentIntent}`,
    object: 'dispute',
    status,
    payment_intent: order.paymentIntent,
    amount: order.amount,
    currency: order.currency,
    ...changed,
  };
}
