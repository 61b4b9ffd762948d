/**
 * The ledger again, as simple as it can be said: searches with a state and a list of payments,
 * from which every figure is added up anew when it is asked for. It shares no code with src/.
 */

/** What a step answers: the balance after it, or the name of its refusal. */
export type Outcome = number | string;

interface ModelSearch {
  requestId: string;
  key: ModelKey;
  credits: number;
  state: 'open' | 'charged' | 'released' | 'refunded';
  /** Set when it is charged: the month it counts in. */
  period?: string;
}

export interface ModelKey {
  customerId: number;
  keyId: number;
}

export interface ModelEntry {
  customerId: number;
  keyId: number | null;
  kind: string;
  credits: number;
  requestId: string | null;
  reference: string | null;
  createdAt: number;
}

interface Payment {
  customerId: number;
  credits: number;
  reference: string | undefined;
}

/** An answer that is stored for the repeats of a request, with the searches that it charged. */
export interface ModelAnswer {
  customerId: number;
  idempotencyKey: string;
  requestId: string;
  expiresAt: number;
}

/** What is stored and charged together, or not at all. */
export interface AnswerStep extends Omit<ModelAnswer, 'requestId'> {
  charged: readonly string[];
  released: readonly string[];
}

export class LedgerModel {
  answers: ModelAnswer[] = [];
  readonly payments: Payment[] = [];
  readonly searches: ModelSearch[] = [];
  readonly entries: ModelEntry[] = [];

  balanceOf(customerId: number): number {
    const paid = this.payments.filter((payment) => payment.customerId === customerId);
    const taken = this.searches.filter(
      ({ key, state }) =>
        key.customerId === customerId && (state === 'open' || state === 'charged'),
    );
    return sumOfCredits(paid) - sumOfCredits(taken);
  }

  usage(): { keyId: number; period: string; requests: number; credits: number }[] {
    const served = this.searches.filter(({ period }) => period !== undefined);
    const months = new Map(
      served.map(({ key, period }) => [`${key.keyId} ${period}`, { keyId: key.keyId, period }]),
    );
    return [...months.values()].map(({ keyId, period }) => {
      const ours = served.filter(
        (search) => search.key.keyId === keyId && search.period === period,
      );
      const credits = sumOfCredits(ours.filter(({ state }) => state === 'charged'));
      return { keyId, period: String(period), requests: ours.length, credits };
    });
  }

  open(): { requestId: string; customerId: number; keyId: number; credits: number }[] {
    return this.searches
      .filter(({ state }) => state === 'open')
      .map(({ requestId, key, credits }) => ({ requestId, ...key, credits }));
  }

  topUp({ customerId, credits, reference }: Payment, now: number): Outcome {
    const isKnown = this.payments.some((payment) => payment.reference === reference);
    if (reference !== undefined && isKnown) return 'already_exists';
    this.payments.push({ customerId, credits, reference });
    this.entries.push({
      customerId,
      keyId: null,
      kind: 'topup',
      credits,
      requestId: null,
      reference: reference ?? null,
      createdAt: now,
    });
    return this.balanceOf(customerId);
  }

  hold(key: ModelKey, { requestId, credits }: { requestId: string; credits: number }, now: number) {
    if (this.balanceOf(key.customerId) < credits) return 'refused';
    if (this.find(requestId) !== undefined) return 'repeated';
    const search: ModelSearch = { requestId, key, credits, state: 'open' };
    this.searches.push(search);
    return this.enter(search, { kind: 'hold', credits: -credits }, now);
  }

  settle(requestId: string, now: number): Outcome {
    const search = this.find(requestId);
    if (search?.state !== 'open') return 'refused';
    search.state = 'charged';
    const date = new Date(now);
    const month = String(date.getUTCMonth() + 1).padStart(2, '0');
    search.period = `${date.getUTCFullYear()}-${month}`;
    return this.enter(search, { kind: 'settle', credits: 0 }, now);
  }

  release(requestId: string, now: number): Outcome {
    const search = this.find(requestId);
    if (search?.state !== 'open') return 'refused';
    search.state = 'released';
    return this.enter(search, { kind: 'release', credits: search.credits }, now);
  }

  answer(step: AnswerStep, now: number): Outcome {
    const { customerId, idempotencyKey, expiresAt, charged, released } = step;
    const isOpen = (id: string): boolean => this.find(id)?.state === 'open';
    if (!charged.every((id) => isOpen(id) && !released.includes(id))) return 'not_open';
    const sameKey = (stored: ModelAnswer): boolean =>
      stored.customerId === customerId && stored.idempotencyKey === idempotencyKey;
    if (this.answers.some((stored) => sameKey(stored) && stored.expiresAt > now)) return 'repeated';
    this.answers = this.answers.filter((stored) => !sameKey(stored));
    const requestId = charged[0] as string;
    this.answers.push({ customerId, idempotencyKey, requestId, expiresAt });
    for (const id of released) this.release(id, now);
    let balance: Outcome = 'refused';
    for (const id of charged) balance = this.settle(id, now);
    return balance;
  }

  /** Deletes what has expired; answers how many there were. */
  expire(now: number): Outcome {
    const before = this.answers.length;
    this.answers = this.answers.filter(({ expiresAt }) => expiresAt > now);
    return before - this.answers.length;
  }

  refund(requestId: string, now: number): Outcome {
    const search = this.find(requestId);
    if (search === undefined) return 'unknown_request';
    if (search.state !== 'charged') return 'not_refundable';
    search.state = 'refunded';
    return this.enter(search, { kind: 'refund', credits: search.credits }, now);
  }

  /** What a restart does; answers how many there were. */
  releaseAll(now: number): Outcome {
    const open = this.open();
    for (const { requestId } of open) this.release(requestId, now);
    return open.length;
  }

  private find(requestId: string): ModelSearch | undefined {
    return this.searches.find((search) => search.requestId === requestId);
  }

  private enter(
    { key, requestId }: ModelSearch,
    { kind, credits }: { kind: string; credits: number },
    now: number,
  ): number {
    this.entries.push({ ...key, kind, credits, requestId, reference: null, createdAt: now });
    return this.balanceOf(key.customerId);
  }
}

function sumOfCredits(items: readonly { credits: number }[]): number {
  return items.reduce((sum, { credits }) => sum + credits, 0);
}
