/** What came of searches, and the questions that are kept. */
import { describe, expect, it } from 'vitest';
import type { AnswerOutcome } from '../../../src/accounts/sql/answer-outcomes.ts';
import { NOW } from '../../support/accounts.ts';
import { addPerson, DAY_MS, type GetAccounts, hold, type Person } from './accounts-under-test.ts';

const TODAY = '2026-03-14';
const ALL = { firstDay: '1970-01-01', limit: 99 };

export function testOutcomes(get: GetAccounts): void {
  const ask = async (person: Person, outcome: AnswerOutcome, text?: string, questionsMax = 3) => {
    const requestId = await hold(get(), person);
    const question = text === undefined ? undefined : { text, questionsMax };
    await get().store.settle(requestId, { milliseconds: 5, lanes: [], outcome, question });
  };
  const countOf = async (outcome: AnswerOutcome): Promise<number> => {
    const { days } = await get().operator.readOutcomes(ALL);
    const ofOutcome = days.filter((day) => day.outcome === outcome);
    expect(ofOutcome.every(({ day }) => day === TODAY)).toBe(true);
    return ofOutcome.reduce((sum, { calls }) => sum + calls, 0);
  };
  const kept = async (): Promise<string[]> =>
    (await get().operator.readOutcomes(ALL)).questions.map(({ text }) => text);

  describe('outcomes of searches', () => {
    it('are counted by day, of all keys, with the charge', async () => {
      const [ada, eve] = [
        await addPerson(get(), { credits: 9 }),
        await addPerson(get(), { credits: 9 }),
      ];
      await Promise.all([ask(ada, 'close'), ask(eve, 'close'), ask(eve, 'served')]);
      const requestId = await hold(get(), ada);
      await get().store.release(requestId);
      await get().store.settle(requestId, { milliseconds: 5, lanes: [], outcome: 'busy' });
      expect([await countOf('close'), await countOf('served'), await countOf('busy')]).toEqual([
        2, 1, 0,
      ]);
      const { days } = await get().operator.readOutcomes({ ...ALL, firstDay: '2026-03-15' });
      expect(days).toEqual([]);
    });

    it('are counted with an answer that is stored', async () => {
      const person = await addPerson(get(), { credits: 9 });
      const { customerId } = person;
      const requestId = await hold(get(), person);
      const question = { text: 'stored', questionsMax: 3 };
      const measures = { milliseconds: 5, lanes: [], outcome: 'nothing' as const, question };
      await get().store.storeAnswer({
        request: { customerId, idempotencyKey: 'k', fingerprint: new Uint8Array(32) },
        requestId,
        headers: {},
        body: '{}',
        expiresAt: NOW + DAY_MS,
        charged: [requestId],
        measures: { [requestId]: measures },
        released: [],
        now: NOW,
      });
      expect(await countOf('nothing')).toBe(1);
      expect(await kept()).toEqual(['stored']);
    });

    it('are deleted with the other measures', async () => {
      await get().store.deleteOldMeasures({ before: TODAY, limit: 999 });
      expect(await countOf('close')).toBeGreaterThan(0);
    });
  });

  describe('questions that are kept', () => {
    it('replace the oldest one beyond the maximum, and are read in pages', async () => {
      const person = await addPerson(get(), { credits: 9 });
      for (const text of ['a', 'b', 'c', 'd']) await ask(person, 'no_lanes', text);
      expect(await kept()).toEqual(['d', 'c', 'b']);
      const { questions } = await get().operator.readOutcomes({ ...ALL, limit: 2 });
      expect(questions[0]).toMatchObject({ outcome: 'no_lanes', askedAt: NOW });
      const before = questions[1]?.id;
      const next = await get().operator.readOutcomes({ ...ALL, before });
      expect(next.questions.map(({ text }) => text)).toEqual(['b']);
    });

    it('have odd characters as far as the database can', async () => {
      const person = await addPerson(get(), { credits: 9 });
      const odd = `'; DROP TABLE customers; -- \\ " 𝔘 \u0007 <b>`;
      await ask(person, 'no_lanes', odd);
      await ask(person, 'no_lanes', 'a\u0000b');
      expect(await kept()).toContain(odd);
      expect((await kept())[0]).toMatch(/^a.b$/su);
    });

    it('are those of their customer, and go with the account', async () => {
      const [ada, eve] = [
        await addPerson(get(), { credits: 2 }),
        await addPerson(get(), { credits: 1 }),
      ];
      await ask(ada, 'no_lanes', 'of ada');
      await ask(eve, 'no_lanes', 'of eve');
      const { customerId, memberId } = ada;
      const own = await get().store.listOwnQuestions(customerId);
      expect(own.map(({ text }) => text)).toEqual(['of ada']);
      await get().store.deleteCustomer({ customerId, memberId, creditsForfeited: 1, now: NOW });
      expect(await get().store.listOwnQuestions(customerId)).toEqual([]);
      expect(await kept()).toContain('of eve');
      expect(await kept()).not.toContain('of ada');
    });

    it('are deleted when they are old, so many at a time', async () => {
      expect((await kept()).length).toBeGreaterThan(1);
      const remove = (before: number, limit: number) =>
        get().store.deleteOldQuestions({ before, limit });
      expect(await remove(NOW, 99)).toBe(0);
      expect(await remove(NOW + 1, 1)).toBe(1);
      await remove(NOW + 1, 99);
      expect(await kept()).toEqual([]);
    });

    it('of many searches at once are at most as many', async () => {
      const person = await addPerson(get(), { credits: 40 });
      const texts = Array.from({ length: 40 }, (_, index) => `question ${index}`);
      await Promise.all(texts.map((text) => ask(person, 'no_lanes', text)));
      await ask(person, 'no_lanes', 'the last one').catch(() => {});
      expect((await kept()).length).toBeLessThanOrEqual(3);
    });
  });
}
