/** What the tests of failing machines share: the state of a server, and searches that must be free. */
import { expect } from 'vitest';
import type { AuditReport } from '../../src/accounts/sql/kept-audits.ts';
import { type Caller, expectError, type Got, logged, search } from '../http/contract.ts';
import { withLimits } from '../support/limits.ts';
import type { Service } from '../support/service.ts';
import { runCommandJson, runJson } from '../support/verbatim.ts';

/** The limits of `QUICK`. A test that changes others of its servers adds them to these. */
export const QUICK_LIMITS = { ledgerRetryMs: 200, databaseCheckMs: 200 };
/** Short waits, so that a fault and its end are noticed soon. */
export const QUICK = {
  VERBATIM_LOCK_WAIT_MS: '200',
  VERBATIM_DRAIN_TIMEOUT_MS: '1000',
  ...withLimits(QUICK_LIMITS),
};

const DEGRADED = { status: 503, message: 'service degraded, retry shortly' };
const RETRY_AFTER = /^[1-9]\d*$/;

/** A search that meets the fault first: with the balance. */
export function expectFailed(got: Got, balance: number): void {
  const headers = { 'retry-after': RETRY_AFTER, 'x-credit-balance': String(balance) };
  expectError(got, { ...DEGRADED, headers });
}

/** A search that is refused because the fault is known. */
export async function expectRefused(caller: Caller): Promise<void> {
  expectError(await search(caller), { ...DEGRADED, headers: { 'retry-after': RETRY_AFTER } });
}

/** The log has named each cause once and its end once, and nothing else as an error. */
export function expectLogged(service: Service, reasons: readonly RegExp[]): void {
  const begun = logged(service, 'degraded');
  expect(begun).toHaveLength(reasons.length);
  for (const [index, reason] of reasons.entries()) {
    expect(begun[index]).toMatchObject({ level: 'error', reason: expect.stringMatching(reason) });
  }
  expect(logged(service, 'recovered')).toHaveLength(reasons.length);
  expect(service.log.filter(({ level }) => level === 'error')).toHaveLength(reasons.length);
}

/** What the command line says of the ledger: through a program that sees the same files as the server, if one is given. */
export function audit(database: string, through?: readonly string[]): Promise<AuditReport> {
  const args = ['credit', 'audit', '--db', database];
  return through === undefined ? runCommandJson(args) : runJson(args, { through });
}
