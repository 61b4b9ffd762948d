/** Requests with an `Idempotency-Key` that come while the first is being looked up. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AnswerLookUp } from '../../src/accounts/ports/paid-call-store.ts';
import type { StoredAnswer } from '../../src/accounts/sqlite/ledger/stored-answers.ts';
import { ask, fakeDeps, search } from './fake-service.ts';

describe('two requests with one Idempotency-Key', () => {
  const own = { answers: 0, bytes: 0 };
  const stored = {
    fingerprint: createHash('sha256').update('/v1/search\n{"query":"sleep"}').digest(),
    requestId: 'first',
    headers: { 'Content-Type': 'application/json' },
    body: '{"n":0}',
  };
  const repeatable = { ...search, idempotencyKey: 'once' };

  /** A store whose look-up waits. */
  function slowStore(found: StoredAnswer | undefined) {
    const fake = fakeDeps();
    let answer = (): void => {};
    const lookedUp = new Promise<AnswerLookUp>((resolve) => {
      answer = () => resolve({ stored: found, own, all: own });
    });
    let lookUps = 0;
    fake.deps.store.findAnswer = () => {
      lookUps++;
      return lookedUp;
    };
    return { fake, answer: () => answer(), lookUps: () => lookUps };
  }

  it('search once, even if both come before the look-up has ended', async () => {
    const { fake, answer, lookUps } = slowStore(undefined);
    const asked = [ask(fake, repeatable), ask(fake, repeatable)];
    await expect.poll(lookUps).toBe(1);
    answer();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
    expect(fake.steps).toEqual(['search', 'hold', 'store']);
    expect(fake.deps.requestsInFlight.size).toBe(0);
  });

  it('get the stored answer both', async () => {
    const { fake, answer, lookUps } = slowStore(stored);
    const asked = [ask(fake, repeatable), ask(fake, repeatable)];
    await expect.poll(lookUps).toBe(1);
    answer();
    for (const { status, body, headers } of await Promise.all(asked)) {
      expect([status, body, headers['Idempotency-Replayed']]).toEqual([200, stored.body, 'true']);
    }
    expect(fake.steps).toEqual([]);
  });

  it('get an error both if the look-up fails, and the next one may try again', async () => {
    const fake = fakeDeps();
    fake.deps.store.findAnswer = () => Promise.reject(new Error('the database is gone'));
    const answers = await Promise.all([ask(fake, repeatable), ask(fake, repeatable)]);
    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    expect(fake.deps.requestsInFlight.size).toBe(0);
    fake.deps.store.findAnswer = async () => ({ stored: undefined, own, all: own });
    expect((await ask(fake, repeatable)).status).toBe(200);
  });
});
