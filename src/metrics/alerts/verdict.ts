/** The state of a server in one sentence. Pure. */
import { alertTable } from './alert-kinds.ts';
import type { Condition } from './conditions.ts';

export interface Verdict {
  tone: 'good' | 'warn' | 'bad';
  /** "Searches fail: the disk is full", without a full stop and a time. */
  sentence: string;
  /** Since when, in milliseconds since 1970; undefined if nothing is wrong, or nobody knows. */
  since: number | undefined;
  /** What to do; empty if nothing is wrong. */
  advice: string;
  /** What it is about; undefined if nothing is wrong. */
  cause: Condition | undefined;
  /** What is wrong besides, the worst first. */
  others: Condition[];
}

/** Returns the verdict of conditions that are sorted, the worst first. */
export function verdictOf(conditions: readonly Condition[]): Verdict {
  const failing = conditions.find(({ kind }) => kind === 'searches');
  const blocking = conditions.filter(({ isBlocking }) => isBlocking);
  // What fails is the effect. Of what can be its cause, the worst one is named.
  const cause = blocking.find(({ kind }) => kind !== 'searches') ?? failing ?? conditions[0];
  if (cause === undefined) {
    return {
      tone: 'good',
      sentence: 'All is well',
      since: undefined,
      advice: '',
      cause: undefined,
      others: [],
    };
  }
  const fails = failing !== undefined || blocking.length > 0;
  return {
    tone: fails || cause.kind === 'damage' ? 'bad' : 'warn',
    sentence: `${fails ? 'Searches fail:' : 'Searches work, but'} ${cause.text}`,
    since: cause.since ?? failing?.since,
    advice: alertTable[cause.kind].advice,
    cause,
    others: conditions.filter((one) => one !== cause && one !== failing),
  };
}
