/** Rejections beyond those that are prompt: later, but the same, and for nobody who has left. */
import { expect, it } from 'vitest';
import { withLimits } from '../support/limits.ts';
import { useService } from '../support/use-service.ts';
import { expectError, logged, openConnection, search, searchHead, send } from './contract.ts';

const WRONG = 'sk_live_wrong';
const LARGE_BODY_BYTES = 60_000;

const service = useService({
  fill: () => ({}),
  env: withLimits({
    promptRejectionsMax: 1,
    promptRejectionsPerSecond: 1,
    rejectionDelayMs: 700,
  }),
});

const unknownKey = {
  status: 401,
  message: 'invalid or revoked api key',
  authenticated: false,
} as const;

it('answers health checks while rejections wait, and then all of them', async () => {
  const order: string[] = [];
  const rejected = Array.from({ length: 8 }, () => search({ url: service.url, secret: WRONG }));
  const all = rejected.map((got) => got.then(() => order.push('rejection')));
  const health = await send(service.url, { path: '/health' });
  order.push('health');
  await Promise.all(all);
  expect(health.status).toBe(200);
  // Most wait, so the check that came last is not the last to be answered.
  expect(order.at(-1)).toBe('rejection');
  for (const got of rejected) expectError(await got, unknownKey);
  // The next test counts lines, and those of this one may still be on their way.
  await expect.poll(() => logged(service, 'request').length).toBe(rejected.length + 1);
});

it('does not answer a client that left while its rejection waited', async () => {
  const before = logged(service, 'request').length;
  const connections = await Promise.all(
    Array.from({ length: 4 }, () => openConnection(service.url)),
  );
  for (const { socket } of connections) {
    socket.write(searchHead(WRONG, LARGE_BODY_BYTES) + 'a'.repeat(LARGE_BODY_BYTES / 2));
  }
  const { status } = await send(service.url, { path: '/health' });
  expect(status).toBe(200);
  for (const { socket } of connections) socket.destroy();
  await expect.poll(() => logged(service, 'request').length).toBe(before + 5);
  const left = logged(service, 'request').slice(before);
  expect(left.filter(({ sent }) => sent === false).length).toBeGreaterThan(0);
  expect(service.log.filter(({ level }) => level === 'error')).toEqual([]);
});
