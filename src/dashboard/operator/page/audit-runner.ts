/** Audits of the ledger that operators start: one at a time, and what it found is kept. */
import type { OperatorAccess } from '../../../accounts/ports/operator-store.ts';
import { detailsOf } from '../../../errors.ts';
import type { Log } from '../../../log.ts';

export interface RunningAudit {
  startedAt: number;
  actor: string;
}

export interface AuditRunner {
  /**
   * Starts an audit. Returns `running` if one runs, and `repeated` if the idempotency key of the
   * form has started one before.
   */
  start(by: { actor: string; idempotencyKey: string }): 'started' | 'running' | 'repeated';
  running(): RunningAudit | undefined;
  /** When an audit failed, if it was the last one of this server. */
  failedAt(): number | undefined;
  /** Forgets the audit that runs. */
  close(): void;
}

export interface AuditRunnerOptions {
  asOperator: OperatorAccess['asOperator'];
  log: Log;
  now: () => number;
  auditsKeptMax: number;
  auditDifferencesMax: number;
}

export function createAuditRunner(options: AuditRunnerOptions): AuditRunner {
  const { asOperator, log, now, auditsKeptMax, auditDifferencesMax } = options;
  let running: RunningAudit | undefined;
  let failedAt: number | undefined;
  let lastIdempotencyKey: string | undefined;
  let isClosed = false;

  const audit = async (actor: string, startedAt: number): Promise<void> => {
    const store = asOperator({ actor });
    const report = await store.audit();
    if (isClosed) return;
    await store.keepAudit({
      startedAt,
      endedAt: now(),
      actor,
      report,
      auditsMax: auditsKeptMax,
      differencesMax: auditDifferencesMax,
    });
  };

  return {
    start({ actor, idempotencyKey }) {
      if (idempotencyKey === lastIdempotencyKey) return 'repeated';
      if (running !== undefined) return 'running';
      lastIdempotencyKey = idempotencyKey;
      failedAt = undefined;
      const startedAt = now();
      running = { startedAt, actor };
      audit(actor, startedAt)
        .catch((error: unknown) => {
          if (isClosed) return;
          failedAt = now();
          log.error('audit_not_finished', { reason: detailsOf(error) });
        })
        .finally(() => {
          running = undefined;
        });
      return 'started';
    },
    running: () => running,
    failedAt: () => failedAt,
    close() {
      isClosed = true;
    },
  };
}
