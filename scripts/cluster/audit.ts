/** Compares what clients got with the ledger. Pure. */
import { groupBy, sumOf } from '../measure/statistics.ts';
import { type Exchange, OK } from './load.ts';

export interface Entry {
  requestId: string | null;
  kind: string;
}

/** A time in which a node could not write what it had answered: it was killed, or its link was cut. */
export interface Disturbance {
  node: string;
  from: number;
  until: number;
}

export interface Books {
  exchanges: readonly Exchange[];
  entries: readonly Entry[];
  /** Request ids of the answers that are stored for repeats. */
  stored: readonly string[];
  disturbances: readonly Disturbance[];
}

export interface AuditResult {
  /** One sentence for each thing that does not add up. */
  wrong: string[];
  /** Searches that clients have the answer to, repeats counted once. */
  answered: number;
  charged: number;
  released: number;
  /** Answered, but released: the node died before it could write the charge. */
  free: number;
}

/** An answer may leave so long before a kill without its charge being written. */
const UNWRITTEN_MS_MAX = 5_000;
const EXAMPLES_MAX = 5;

export function auditBooks(books: Books): AuditResult {
  const outcomes = outcomesOf(books.entries);
  const answered = answersOf(books.exchanges);
  const charged = [...outcomes].filter(([, { settle }]) => settle > 0);
  const freeAnswers = [...answered].filter(([id]) => outcomes.get(id)?.settle !== 1);
  const stored = new Set(books.stored);
  const findings: [string, string[]][] = [
    ['held or ended other than once', idsOf(outcomes, ([, one]) => !isWhole(one))],
    ['charged without an answer', idsOf(charged, ([id]) => !answered.has(id) && !stored.has(id))],
    ['answered without a hold', idsOf(answered, ([id]) => !outcomes.has(id))],
    [
      'answered and not charged, although no kill explains it',
      idsOf(freeAnswers, ([, answer]) => !isExplained(answer, books.disturbances)),
    ],
    ['answered differently to repeats', keysOfDifferentAnswers(books.exchanges)],
    ['charged more than once for one Idempotency-Key', keysChargedTwice(books, outcomes)],
  ];
  return {
    wrong: findings.filter(([, ids]) => ids.length > 0).map(describe),
    answered: answered.size,
    charged: charged.length,
    released: [...outcomes.values()].filter(({ release }) => release > 0).length,
    free: freeAnswers.length,
  };
}

function describe([what, ids]: [string, string[]]): string {
  const others = ids.length > EXAMPLES_MAX ? ', …' : '';
  return `${ids.length} ${what}: ${ids.slice(0, EXAMPLES_MAX).join(', ')}${others}`;
}

type Outcome = Record<'hold' | 'settle' | 'release', number>;

/** The entries of each search, counted. */
function outcomesOf(entries: readonly Entry[]): Map<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  for (const { requestId, kind } of entries) {
    if (requestId === null) continue;
    const outcome = outcomes.get(requestId) ?? { hold: 0, settle: 0, release: 0 };
    if (kind in outcome) outcome[kind as keyof Outcome]++;
    outcomes.set(requestId, outcome);
  }
  return outcomes;
}

/** Held once, and settled or released once. */
function isWhole({ hold, settle, release }: Outcome): boolean {
  return hold === 1 && settle + release === 1;
}

/** The first answer to each search, by the id of the request that was charged for it. */
function answersOf(exchanges: readonly Exchange[]): Map<string, Exchange> {
  const answers = new Map<string, Exchange>();
  for (const exchange of exchanges) {
    const id = chargedIdOf(exchange);
    if (exchange.status === OK && !answers.has(id)) answers.set(id, exchange);
  }
  return answers;
}

function chargedIdOf({ originalRequestId, requestId }: Exchange): string {
  return originalRequestId ?? requestId ?? '';
}

/** Whether its node was killed, or cut off, before the charge was written. Stored answers have theirs. */
function isExplained(
  { idempotencyKey, node, endedAt }: Exchange,
  disturbances: readonly Disturbance[],
): boolean {
  if (idempotencyKey !== undefined) return false;
  return disturbances.some(
    (one) => one.node === node && endedAt >= one.from - UNWRITTEN_MS_MAX && endedAt <= one.until,
  );
}

function idsOf<Value>(
  found: Iterable<readonly [string, Value]>,
  isWrong: (one: readonly [string, Value]) => boolean,
): string[] {
  return [...found].filter(isWrong).map(([id]) => id);
}

/** The answers to each `Idempotency-Key`. */
function answersByKey(exchanges: readonly Exchange[]): Map<string, Exchange[]> {
  const answers = exchanges.filter(
    ({ idempotencyKey, status }) => idempotencyKey !== undefined && status === OK,
  );
  return groupBy(answers, (one) => `${one.customerId}/${one.idempotencyKey}`);
}

function keysOfDifferentAnswers(exchanges: readonly Exchange[]): string[] {
  return idsOf(
    answersByKey(exchanges),
    ([, answers]) => new Set(answers.map(({ bodyHash }) => bodyHash)).size > 1,
  );
}

function keysChargedTwice({ exchanges }: Books, outcomes: Map<string, Outcome>): string[] {
  return idsOf(answersByKey(exchanges), ([, answers]) => {
    const ids = new Set(answers.map(chargedIdOf));
    return sumOf([...ids].map((id) => outcomes.get(id)?.settle ?? 0)) > 1;
  });
}
