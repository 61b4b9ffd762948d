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
  /** The document that was left out of an answer, if it is the damage of one. */
  document?: number;
}

export interface KnownDamage extends Damage {
  /** When it was first noticed, in milliseconds since the epoch. */
  noticedAt: number;
}

/** A check of the whole file that came to its end. */
export interface EndedCheck {
  /** In milliseconds since the epoch. */
  endedAt: number;
  ms: number;
  /** How many parts it found damaged. */
  damagedParts: number;
}

export interface DamageRegister {
  /**
   * Remembers damage. Logs each part once, and again if it turns out to be blocking. Logs each document
   * once, up to `DOCUMENTS_LOGGED_MAX`.
   */
  report(damage: Damage): void;
  /**
   * Begins a check of the whole file. The returned function ends it with what was found, and forgets
   * what was reported before the check began and was not found. What is reported during the check
   * stays, because the check may have passed that part already. So does the damage of parts that are
   * not in the file.
   */
  beginCheck(isInFile?: (part: string) => boolean): (found: readonly Damage[]) => void;
  /** Returns the last check; undefined if none has come to its end. */
  lastCheck(): EndedCheck | undefined;
  /** Forgets the damage of parts whose file was replaced. */
  forget(isReplaced: (part: string) => boolean): void;
  /** Returns all known damage, in the order in which it was noticed. */
  all(): KnownDamage[];
  /** Returns how often a document was left out of an answer. */
  documentsLeftOut(): number;
  /** Returns the reason of blocking damage; undefined if there is none. */
  blockingReason(): string | undefined;
}

/** With more, the whole table is damaged, and another line tells nothing new. */
const DOCUMENTS_LOGGED_MAX = 1_000;

export function createDamageRegister(log: Log, now: () => number = Date.now): DamageRegister {
  /** By part. */
  const known = new Map<string, KnownDamage>();
  /** The parts that were reported since the check in progress began. */
  let recent = new Set<string>();
  let last: EndedCheck | undefined;

  const documents = new Set<number>();
  let leftOut = 0;

  function leaveOut(document: number): void {
    leftOut += 1;
    if (documents.has(document) || documents.size >= DOCUMENTS_LOGGED_MAX) return;
    documents.add(document);
    log.error('document_left_out', { document });
  }

  function report({ document, ...damage }: Damage): void {
    const { part, isBlocking, reason } = damage;
    if (document !== undefined) leaveOut(document);
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

  function beginCheck(isInFile: (part: string) => boolean = () => true) {
    const reported = new Set<string>();
    const begunAt = now();
    recent = reported;
    return (found: readonly Damage[]) => {
      const endedAt = now();
      last = { endedAt, ms: endedAt - begunAt, damagedParts: found.length };
      const kept = new Set([...reported, ...found.map(({ part }) => part)]);
      forget((part) => !kept.has(part) && isInFile(part));
      for (const damage of found) report(damage);
    };
  }

  return {
    report,
    beginCheck,
    lastCheck: () => last,
    forget,
    all: () => [...known.values()],
    documentsLeftOut: () => leftOut,
    blockingReason: () => [...known.values()].find(({ isBlocking }) => isBlocking)?.reason,
  };
}
