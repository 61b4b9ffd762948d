/** What Idempotency-Key does at its limits: full, expired, restarted, out of time, and unwritable. */
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createAnswerReader,
  type StoredTotals,
} from '../../src/accounts/sqlite/ledger/stored-answers.ts';
import { answering, type Behaviour, fakeLanes } from '../lanes/fake-lanes.ts';
import { type Running, serveWith } from '../lanes/serve-with-lanes.ts';
import { inStore } from '../support/history.ts';
import {
  copySampleIndex,
  createCustomer,
  removeDatabase,
  startService,
} from '../support/service.ts';
import {
  type Caller,
  expectAudited,
  expectError,
  type Got,
  holdWriters,
  ledger,
  search,
} from './contract.ts';

/** No paper of the sample is close to it, so lanes are asked. */
const OUT_OF_DOMAIN = 'how do sourdough starters resist spoilage moulds';

function ask(caller: Caller, key: string, query = 'sleep'): Promise<Got> {
  return search(caller, { query }, { headers: { 'idempotency-key': key } });
}

function storedIn({ database }: Running): StoredTotals {
  return inStore(database, (db) => createAnswerReader(db).totals());
}

function kindsOf({ database, email }: Running): string[] {
  return ledger(database, email).map(({ kind }) => kind);
}

describe('a customer with as many answers as may be stored', () => {
  it.each([
    ['answers', { answersPerCustomerMax: 2 }],
    ['bytes of the customer', { answerBytesPerCustomerMax: 5_000 }],
    ['bytes of all', { answerBytesMax: 5_000 }],
  ])('has no new key: %s', async (_what, limits) => {
    const running = await serveWith(undefined, limits);
    const first = await ask(running, 'one');
    expect(first.status).toBe(200);
    expect((await ask(running, 'two')).status).toBe(200);
    expectError(await ask(running, 'three'), {
      status: 429,
      message:
        'too many answers are stored for Idempotency-Key; wait until some expire, or send no key',
      code: 'too_many_answers',
      headers: { 'retry-after': '60' },
    });
    expect(await ask(running, 'one')).toMatchObject({ status: 200, text: first.text });
    expect((await search(running)).status).toBe(200);
    await expect.poll(() => kindsOf(running).filter((kind) => kind === 'settle').length).toBe(3);
    expect(storedIn(running).answers).toBe(2);
    const { secret } = createCustomer(running.database, { email: 'other@example.org' });
    const other = await ask({ url: running.url, secret }, 'three');
    expect(other.status).toBe('answerBytesMax' in limits ? 429 : 200);
  });
});

it('answers that have expired are deleted in the background', async () => {
  const limits = { expiredAnswersCheckMs: 20, expiredAnswersDeletedMax: 2 };
  const running = await serveWith(undefined, { answerAgeMsMax: 1, ...limits });
  for (const key of ['a', 'b', 'c', 'd', 'e']) expect((await ask(running, key)).status).toBe(200);
  await expect.poll(() => storedIn(running)).toEqual({ answers: 0, bytes: 0 });
  const again = await ask(running, 'a');
  expect(again.status).toBe(200);
  expect(again.headers).not.toHaveProperty('idempotency-replayed');
});

it('a server that was restarted has the answers', async () => {
  const database = await copySampleIndex();
  onTestFinished(() => removeDatabase(database));
  const { secret } = createCustomer(database);
  const before = await startService(database);
  const first = await ask({ url: before.url, secret }, 'kept');
  expect(first.status).toBe(200);
  await before.end('SIGKILL');
  const { url, end } = await startService(database);
  onTestFinished(async () => {
    await end();
  });
  expect(await ask({ url, secret }, 'kept')).toMatchObject({ status: 200, text: first.text });
  expect(ledger(database).map(({ kind }) => kind)).toEqual(['settle', 'hold', 'topup']);
});

it('a search that timed out is not stored', async () => {
  const running = await serveWith(undefined, { requestTimeoutMs: 1 });
  for (let time = 0; time < 3; time++) expect((await ask(running, 'slow')).status).toBe(504);
  expect(storedIn(running).answers).toBe(0);
  await expectAudited(running.database);
  expect(kindsOf(running).filter((kind) => kind === 'settle')).toEqual([]);
});

it('an answer that cannot be written is not sent and not charged, and its key is free', async () => {
  let release = (): void => {};
  // The hold is written, the answer is not.
  const locking: Behaviour = async (...asked) => {
    release = holdWriters(running.database);
    return await answering([])(...asked);
  };
  const lanes = fakeLanes(locking);
  const running = await serveWith(lanes, {
    lockWaitMs: 200,
    ledgerRetryMs: 50,
    laneThreads: 1,
  });
  const got = await ask(running, 'stuck', OUT_OF_DOMAIN);
  expect(got.status).toBe(503);
  expect(got.headers['x-error-code']).toBe('degraded');
  expect(storedIn(running).answers).toBe(0);
  release();
  lanes.behave(answering([]));
  await expect.poll(async () => (await ask(running, 'stuck', OUT_OF_DOMAIN)).status).toBe(200);
  await expectAudited(running.database);
  expect(kindsOf(running)).toEqual(['settle', 'hold', 'release', 'hold', 'topup']);
});
