import { describe, expect, it } from 'vitest';
import type { OperatorStore } from '../../../src/accounts/ports/operator-store.ts';
import type { AuditToKeep } from '../../../src/accounts/sql/kept-audits.ts';
import { createAuditRunner } from '../../../src/dashboard/operator/page/audit-runner.ts';
import { createLog } from '../../../src/log.ts';
import { PATIENT } from '../../support/patient.ts';

const report = { customers: 1, entries: 2, held: 0, differences: [] };

/** A runner whose audits end when they are told to. */
function newRunner() {
  const audits: { resolve: (found: typeof report) => void; reject: (error: Error) => void }[] = [];
  const kept: AuditToKeep[] = [];
  const lines: string[] = [];
  const store = {
    audit: () => new Promise((resolve, reject) => audits.push({ resolve, reject })),
    keepAudit: async (audit: AuditToKeep) => {
      kept.push(audit);
    },
  } as Partial<OperatorStore> as OperatorStore;
  let now = 0;
  const runner = createAuditRunner({
    asOperator: () => store,
    log: createLog((line) => lines.push(line)),
    now: () => ++now,
    auditsKeptMax: 5,
    auditDifferencesMax: 6,
  });
  return { runner, audits, kept, lines };
}

describe('the audits of a server', () => {
  it('run one at a time, and what they found is kept', async () => {
    const { runner, audits, kept } = newRunner();
    expect(runner.start({ actor: 'ada', idempotencyKey: 'a' })).toBe('started');
    expect(runner.running()).toEqual({ startedAt: 1, actor: 'ada' });
    expect(runner.start({ actor: 'eve', idempotencyKey: 'b' })).toBe('running');
    audits[0]?.resolve(report);
    await expect.poll(runner.running, PATIENT).toBeUndefined();
    const limits = { auditsMax: 5, differencesMax: 6 };
    expect(kept).toEqual([{ startedAt: 1, endedAt: 2, actor: 'ada', report, ...limits }]);
    expect(runner.start({ actor: 'ada', idempotencyKey: 'a' })).toBe('repeated');
    expect(runner.start({ actor: 'eve', idempotencyKey: 'b' })).toBe('started');
    expect(audits).toHaveLength(2);
  });

  it('say when one failed, until the next one starts', async () => {
    const { runner, audits, lines } = newRunner();
    runner.start({ actor: 'ada', idempotencyKey: 'a' });
    audits[0]?.reject(new Error('the disk is gone'));
    await expect.poll(runner.failedAt, PATIENT).toBe(2);
    await expect.poll(runner.running, PATIENT).toBeUndefined();
    expect(lines.join()).toContain('the disk is gone');
    runner.start({ actor: 'ada', idempotencyKey: 'b' });
    expect(runner.failedAt()).toBeUndefined();
  });

  it('say nothing of one that the end of the server cuts short', async () => {
    const { runner, audits, lines, kept } = newRunner();
    runner.start({ actor: 'ada', idempotencyKey: 'a' });
    runner.close();
    audits[0]?.reject(new Error('closing'));
    await expect.poll(runner.running, PATIENT).toBeUndefined();
    expect([lines, kept, runner.failedAt()]).toEqual([[], [], undefined]);
  });
});
