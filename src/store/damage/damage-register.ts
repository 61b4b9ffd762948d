/**
 * What a serving process knows of damage to its stored data. Damage stays known until a check of the
 * whole file finds it gone: a page that failed once fails again, and a state that follows each
 * request would flap.
 */
import type { Log } from '../../log.ts';
import type { PartInUse } from './parts.ts';

/** The damaged part is a table, or what was in use when SQLite noticed. */
export interface Damage extends PartInUse {
  /** One sentence for the operator. It quotes nothing of what is stored. */
  reason: string;
}

export interface KnownDamage extends Damage {
  /** When it was first noticed, in milliseconds since the epoch. */
  noticedAt: number;
}

export interface DamageRegister {
  /** Remembers damage. Logs each part once, and again if it turns out to be blocking. */
  report(damage: Damage): void;
  /**
   * Begins a check of the whole file. The returned function ends it with what was found, and forgets
   * what was reported before the check began and was not found. What is reported during the check
   * stays, because the check may have passed that part already.
   */
  beginCheck(): (found: readonly Damage[]) => void;
  /** Forgets the damage of parts whose file was replaced. */
  forget(isReplaced: (part: string) => boolean): void;
  /** Returns all known damage, in the order in which it was noticed. */
  all(): KnownDamage[];
  /** Returns the reason of blocking damage; undefined if there is none. */
  blockingReason(): string | undefined;
}

export function createDamageRegister(log: Log, now: () => number = Date.now): DamageRegister {
  /** By part. */
  const known = new Map<string, KnownDamage>();
  /** The parts that were reported since the check in progress began. */
  let recent = new Set<string>();

  function report(damage: Damage): void {
    const { part, isBlocking, reason } = damage;
    recent.add(part);
    const before = known.get(part);
    if (before && (before.isBlocking || !isBlocking)) return;
    known.set(part, { ...damage, noticedAt: before?.noticedAt ?? now() });
    log.error('damaged', { part, blocking: isBlocking, reason });
  }

  function forget(isGone: (part: string) => boolean): void {
    for (const part of known.keys()) {
      if (!isGone(part)) continue;
      known.delete(part);
      log.info('damage_gone', { part });
    }
  }

  function beginCheck() {
    const reported = new Set<string>();
    recent = reported;
    return (found: readonly Damage[]) => {
      const kept = new Set([...reported, ...found.map(({ part }) => part)]);
      forget((part) => !kept.has(part));
      for (const damage of found) report(damage);
    };
  }

  return {
    report,
    beginCheck,
    forget,
    all: () => [...known.values()],
    blockingReason: () => [...known.values()].find(({ isBlocking }) => isBlocking)?.reason,
  };
}
