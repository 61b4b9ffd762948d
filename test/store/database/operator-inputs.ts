/** Changes of operators, for the ledger's thread. */
import type {
  OperatorChange,
  OperatorChangeInput,
  OperatorChangeName,
} from '../../../src/store/accounts/operator-changes.ts';

/** Every change of an operator's page. */
export function operatorChanges(
  email: string,
  prefix: string,
  requestId: string,
): OperatorChange[] {
  const now = Date.now();
  const limits = { requestsPerMinute: 5, inFlightMax: 2 };
  const report = { customers: 1, entries: 1, held: 0, differences: [] };
  const by = { startedAt: now, endedAt: now, actor: 'loopback' };
  const audit = { ...by, report, auditsMax: 1, differencesMax: 1 };
  return [
    asOperator('addCustomer', { email: 'x@example.org', credits: 5, linkExpiresAt: now, now }),
    asOperator('createLink', { email, expiresAt: now }),
    asOperator('setCustomerLanes', { email, lanes: 'web' }),
    asOperator('createKey', { email, name: 'Given', ...limits, now }),
    asOperator('setKeyRates', { prefix, ...limits }),
    asOperator('revokeKey', { prefix, at: now + 60_000 }),
    asOperator('rotateKey', { prefix, graceEnds: now + 60_000, now }),
    asOperator('refundSearch', { requestId, now }),
    asOperator('disableCustomer', { email, now }),
    asOperator('enableCustomer', { email }),
    asOperator('keepAudit', audit),
  ];
}

export function asOperator<Name extends OperatorChangeName>(
  name: Name,
  input: OperatorChangeInput<Name>,
): OperatorChange {
  return { name, input, by: { actor: 'loopback', submission: `${name} of the test` }, at: 5 };
}

/** What a server writes to its own file. */
export function serverInputs(now: number) {
  return {
    addServerSample: { endedAt: now, numbers: '{}', before: now },
    addIndexUpdate: { path: '', actor: 'loopback', now, updatesMax: 1 },
    endIndexUpdate: { id: 1, outcome: 'done' as const, message: null, now },
  };
}
