/** The tests that every implementation of the accounts passes. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NOW } from '../../support/accounts.ts';
import type { AccountsUnderTest, MakeAccounts } from './accounts-under-test.ts';
import { testAlerts } from './alerts.ts';
import { testAttempts } from './attempts.ts';
import { testAutomaticTopUps } from './automatic-top-ups.ts';
import { testBillingNotices } from './billing-notices.ts';
import { testClients, testPayments } from './clients-and-payments.ts';
import { testCorrections } from './corrections.ts';
import { testDeletion } from './deletion.ts';
import { testKeys, testOperatorKeys } from './keys.ts';
import { testLedger, testMeasures } from './ledger.ts';
import { testMembers } from './members.ts';
import { testMoney } from './money.ts';
import { testOperatorTrail } from './operator-trail.ts';
import { testOperators } from './operators.ts';
import { testOutcomes } from './outcomes.ts';
import { testAdmission, testAnswers, testHolds } from './paid-calls.ts';
import { testRegistrations } from './registrations.ts';
import { testNodes, testOperator, testReports } from './reports-and-operator.ts';
import { testRequests } from './requests.ts';
import { testSecondFactors } from './second-factors.ts';
import { testSignIns } from './sign-ins.ts';
import { testStatements } from './statements.ts';

/** Tests an implementation. Each test has customers of its own, and all share a database. */
export function testAccounts(name: string, makeAccounts: MakeAccounts): void {
  describe(`accounts on ${name}`, () => {
    let accounts: AccountsUnderTest;
    const get = () => accounts;

    beforeAll(async () => {
      // The clock of the node stands still. Timers run on.
      vi.useFakeTimers({ toFake: ['Date'], now: NOW });
      accounts = await makeAccounts();
    });

    afterAll(async () => {
      await accounts.close();
      vi.useRealTimers();
    });

    it('has no customers, and then the first one with a key and a link', async () => {
      const first = { email: 'first@example.org', credits: 3, linkExpiresAt: NOW + 1, now: NOW };
      const both = await Promise.all([1, 2].map(() => accounts.operator.addFirstCustomer(first)));
      const added = both.filter((customer) => customer !== undefined);
      expect(added).toMatchObject([{ email: first.email, credits: 3 }]);
      const secret = added[0]?.secret ?? '';
      const admission = await accounts.store.admit({ secret, acceptsTokens: false, now: NOW });
      expect(admission?.credit).toEqual({ balance: 3, monthLeft: null });
      const { token = '' } = added[0]?.link ?? {};
      expect((await accounts.store.findLink({ token, now: NOW })).email).toBe(first.email);
    });

    testAdmission(get);
    testHolds(get);
    testLedger(get);
    testMeasures(get);
    testAnswers(get);
    testSignIns(get);
    testRegistrations(get);
    testAttempts(get);
    testSecondFactors(get);
    testOperators(get);
    testMembers(get);
    testDeletion(get);
    testKeys(get);
    testOperatorKeys(get);
    testClients(get);
    testPayments(get);
    testBillingNotices(get);
    testStatements(get);
    testAutomaticTopUps(get);
    testReports(get);
    testRequests(get);
    testOperator(get);
    testOperatorTrail(get);
    testCorrections(get);
    testAlerts(get);
    testMoney(get);
    testOutcomes(get);
    testNodes(get);

    it('adds up after all of this', async () => {
      const report = await accounts.operator.audit();
      expect(report.differences).toEqual([]);
      expect(report.entries).toBeGreaterThan(200);
    });
  });
}
