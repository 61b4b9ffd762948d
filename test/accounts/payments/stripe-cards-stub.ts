/** Saved cards at the stub of Stripe: setup intents, payment methods, customers, and charges of them. */
export interface StubAnswer {
  status: number;
  body: unknown;
}

export interface StubIntent extends Record<string, unknown> {
  id: string;
  status: string;
}

export interface StubCards {
  /** Payment intents in the order in which they were made, one for each idempotency key. */
  intents: StubIntent[];
  /** Codes of the errors that the next charges get, one each. */
  declines: string[];
  /** Payment methods that were detached, and customers that were deleted. */
  gone: string[];
  /** Called with each payment that was made, before the answer leaves. */
  onPaid: (intent: StubIntent) => void;
  /** Undefined for other paths. */
  respond(request: StubCardRequest): StubAnswer | undefined;
}

interface StubCardRequest {
  method: string;
  path: string;
  parameters: URLSearchParams;
  idempotencyKey: string;
}

export function createStubCards(): StubCards {
  const answers = new Map<string, StubAnswer>();
  const cards: StubCards = {
    intents: [],
    declines: [],
    gone: [],
    onPaid: () => {},
    respond({ method, path, parameters, idempotencyKey }) {
      const [, , kind = '', id = ''] = path.split('/');
      if (kind === 'setup_intents') return { status: 200, body: setupIntentOf(id) };
      if (kind === 'customers' || kind === 'payment_methods') return remove(kind, id);
      if (kind !== 'payment_intents') return undefined;
      if (method === 'GET') {
        const data = [...cards.intents].reverse();
        return { status: 200, body: { object: 'list', url: path, has_more: false, data } };
      }
      // Stripe repeats its answer to a key, whatever it was.
      const answer = answers.get(idempotencyKey) ?? charge(parameters);
      answers.set(idempotencyKey, answer);
      return answer;
    },
  };

  function remove(kind: string, id: string): StubAnswer {
    if (cards.gone.includes(id)) return missing(`No such ${kind}: '${id}'`);
    cards.gone.push(id);
    return { status: 200, body: { id, deleted: true } };
  }

  function charge(parameters: URLSearchParams): StubAnswer {
    const paid = parameters.get('payment_method') ?? '';
    if (cards.gone.includes(paid)) return missing(`No such PaymentMethod: '${paid}'`);
    const code = cards.declines.shift();
    const amount = Number(parameters.get('amount'));
    const intent: StubIntent = {
      id: `pi_stub_${cards.intents.length + 1}`,
      object: 'payment_intent',
      status: code === undefined ? 'succeeded' : 'requires_payment_method',
      amount,
      amount_received: code === undefined ? amount : 0,
      currency: parameters.get('currency'),
      created: Math.floor(Date.now() / 1000),
      customer: parameters.get('customer'),
      payment_method: paid,
      latest_charge: null,
      metadata: {
        verbatim_order: parameters.get('metadata[verbatim_order]'),
        verbatim_automatic: parameters.get('metadata[verbatim_automatic]'),
      },
    };
    cards.intents.push(intent);
    if (code === undefined) {
      cards.onPaid(intent);
      return { status: 200, body: intent };
    }
    const error = { type: 'card_error', code, message: 'Your card was declined.' };
    intent['last_payment_error'] = error;
    return { status: 402, body: { error: { ...error, payment_intent: intent } } };
  }
  return cards;
}

/** A setup intent whose card belongs to a customer of its own. */
function setupIntentOf(id: string): Record<string, unknown> {
  const card = { brand: 'visa', last4: '4242' };
  return {
    id,
    object: 'setup_intent',
    status: 'succeeded',
    customer: `cus_of_${id}`,
    payment_method: { id: `pm_of_${id}`, object: 'payment_method', type: 'card', card },
  };
}

function missing(message: string): StubAnswer {
  const error = { type: 'invalid_request_error', code: 'resource_missing', message };
  return { status: 404, body: { error } };
}
