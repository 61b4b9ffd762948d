/**
 * What must be known of providers beyond this process: pauses, whose turn it is, and how often each
 * was asked today. The store keeps it over a restart and shares it with other processes; without a
 * store it is kept here, for as long as the process lives.
 */
import { createHash } from 'node:crypto';

/** Times in milliseconds since 1970. */
export interface Pause {
  /** A SkipReason. */
  reason: string;
  until: number;
  /** Those before it that followed on each other without an answer between them. */
  inARow: number;
}

/** None of the functions throws, and none waits for anybody. */
export interface ProviderRecords {
  /** The last pause of a subject, also where it is over. */
  pauseOf(subject: string): Pause | undefined;
  setPause(subject: string, pause: Pause): void;
  clearPause(subject: string): void;
  /** How long the turn of another process at a provider lasts. */
  turnWaitMs(provider: string): number;
  /**
   * Takes a provider's turn, for `holdMs` where it is never ended. Returns 0, or how long to wait
   * before trying again.
   */
  takeTurn(provider: string, holdMs: number): number;
  /** Ends a turn: the next one may be taken after a gap. */
  endTurn(provider: string, gapMs: number): void;
  countRequest(provider: string): void;
  /** Requests of this day, in UTC. */
  requestsToday(provider: string): number;
}

export const DAY_MS = 86_400_000;

/** Records of this process alone. */
export function createInMemoryRecords(): ProviderRecords {
  const pauses = new Map<string, Pause>();
  const requests = new Map<string, { day: number; count: number }>();
  const today = (): number => Math.floor(Date.now() / DAY_MS);
  const requestsToday = (provider: string): number => {
    const counted = requests.get(provider);
    return counted?.day === today() ? counted.count : 0;
  };
  return {
    pauseOf: (subject) => pauses.get(subject),
    setPause: (subject, pause) => void pauses.set(subject, pause),
    clearPause: (subject) => void pauses.delete(subject),
    // Within one process, the pace of the provider is enough.
    turnWaitMs: () => 0,
    takeTurn: () => 0,
    endTurn: () => {},
    countRequest(provider) {
      requests.set(provider, { day: today(), count: requestsToday(provider) + 1 });
    },
    requestsToday,
  };
}

/**
 * The name under which a pause is kept: whom it concerns, and what the provider knows us by. Who
 * changes a rejected key is not kept out for the old one. It tells no key.
 */
export function backoffSubject(whom: string, account: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(account)).digest('hex');
  return `${whom} ${digest}`;
}
