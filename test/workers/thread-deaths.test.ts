/** Threads of a real server and of a real build that die. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { samplePath } from '../../src/settings/bundle.ts';
import { expectAudited, untilHealth } from '../http/contract.ts';
import { withLimits } from '../support/limits.ts';
import { createCustomer, postSearch } from '../support/service.ts';
import { createThreadControl, type DeathOrder } from '../support/thread-control.ts';
import { useService } from '../support/use-service.ts';
import { runVerbatim } from '../support/verbatim.ts';

const folder = mkdtempSync(join(tmpdir(), 'verbatim-threads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const control = createThreadControl(folder);

/** Every point of a task, and every way to die. */
const deaths: Omit<DeathOrder, 'role'>[] = (['before', 'after'] as const).flatMap((when) =>
  (['throws', 'exits'] as const).map((how) => ({ when, how })),
);

describe('a server', () => {
  let secret: string;
  const service = useService({
    fill: (database) => {
      ({ secret } = createCustomer(database));
    },
    env: { ...control.env, ...withLimits({ ledgerRetryMs: 100 }) },
  });
  const countEvents = (name: string): number =>
    service.log.filter(({ event }) => event === name).length;
  const countDied = async (role: string): Promise<number> => {
    const text = await (await fetch(`${service.metricsUrl}/metrics`)).text();
    return Number(text.match(`verbatim_threads_died_total{role="${role}"} (\\d+)`)?.[1]);
  };
  const search = async (): Promise<number> => (await postSearch(service.url, secret)).status;
  let served = 0;
  const readUsage = async (): Promise<unknown> => {
    const headers = { Authorization: `Bearer ${secret}` };
    return (await fetch(`${service.url}/v1/usage`, { headers })).json();
  };
  /** Nothing is left for the ledger to write. */
  const untilSettled = () =>
    expect.poll(readUsage).toMatchObject({ requests: served, balance: 1000 - served });

  it.each(deaths)('answers 503 if its search thread $how $when the task', async (death) => {
    const [logged, died] = [countEvents('thread_died'), await countDied('search')];
    control.order({ role: 'search', ...death });
    expect(await search()).toBe(503);
    await expect.poll(() => countEvents('thread_died')).toBe(logged + 1);
    expect(await countDied('search')).toBe(died + 1);
    expect(await search()).toBe(200);
    served++;
    expect(countEvents('search_failed')).toBe(0);
  });

  it.each(deaths)('recovers if its ledger thread $how $when a task', async (death) => {
    await untilSettled();
    const [logged, recovered] = [countEvents('thread_died'), countEvents('recovered')];
    control.order({ role: 'ledger', ...death });
    // The hold fails, or the check of the database before it.
    expect(await search()).toBe(503);
    await expect.poll(() => countEvents('recovered')).toBe(recovered + 1);
    expect(countEvents('thread_died')).toBe(logged + 1);
    expect(countEvents('degraded')).toBe(recovered + 1);
    await untilHealth(service.url, { status: 'ok' });
    expect(await search()).toBe(200);
    served++;
  });

  it('has charged what it served, and nothing else', async () => {
    expect(served).toBeGreaterThan(0);
    await untilSettled();
    await expectAudited(service.database);
  });
});

it('a build says that its embedding thread died, and the next one completes the index', async () => {
  const database = join(folder, 'built.db');
  const add = ['index', 'add', join(samplePath(), 'ecology.jsonl'), '--db', database];
  control.order({ role: 'embed', when: 'after', how: 'throws' });
  const { stderr } = await runVerbatim(add, { code: 1, env: control.env });
  expect(stderr).toContain('a thread died and was replaced');
  expect(stderr).not.toContain('terminate called');
  await runVerbatim(add);
  await runVerbatim(['index', 'verify', '--db', database]);
});
