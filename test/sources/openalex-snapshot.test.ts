/** All works of OpenAlex by its snapshot, from a stub. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openalexProvider } from '../../src/sources/providers/openalex.ts';
import { htmlPage } from '../support/lanes/stub-server.ts';
import { withLimits } from '../support/limits.ts';
import { runCommand } from '../support/verbatim.ts';
import { runOneByOne, runSteps, type StepsOptions } from './run-steps.ts';
import { filesOf, type OpenalexStub, type StubWork, startOpenalex } from './stubs/openalex-stub.ts';

const REVISED = 'Tides of the island number 1, revised';

let stub: OpenalexStub;

const work = (number: number, title = `Tides of the island number ${number}`): StubWork => ({
  id: `W${number}`,
  title,
  published: '2020-01-01',
  updated: '2026-01-01',
});
const works = (...numbers: number[]) => numbers.map((number) => work(number));
const names = () =>
  stub.requests.map(({ path }) =>
    path.replace('/data/jsonl/works/', '').replace(/updated_date=2026-|part_000|\.gz/g, ''),
  );
const ids = (into: ReadonlyMap<string, string>) => [...into.keys()].sort();

beforeEach(async () => {
  stub = await startOpenalex([]);
  stub.days = { '2026-05-01': [works(1, 2), works(3)], '2026-06-24': [works(4)] };
  stub.deleted = [['W9', '2026-06-01']];
});
afterEach(() => stub.close());

const run = (rest: Partial<StepsOptions> = {}): StepsOptions => ({
  provider: openalexProvider,
  options: { url: stub.url },
  ...rest,
});

/** W1 changed, W2 was deleted, and W5 is new. */
function release(): void {
  stub.days = {
    '2026-05-01': [works(3)],
    '2026-06-24': [works(4)],
    '2026-08-01': [[work(1, REVISED)], works(5)],
  };
  stub.deleted = [...(stub.deleted ?? []), ['W2', '2026-07-01']];
}

it('reads all files, and later only those of newer days and what was deleted since', async () => {
  const first = await runSteps(run());
  expect(names()).toEqual(['manifest.json', '05-01/0', '05-01/1', '06-24/0', 'manifest.json']);
  expect(ids(first.into)).toEqual(['W1', 'W2', 'W3', 'W4']);
  stub.requests.length = 0;

  const idle = await runSteps(run({ position: first.position }));
  expect(idle.steps).toEqual([]);
  expect(names()).toEqual(['manifest.json']);
  stub.requests.length = 0;

  release();
  const { position, into } = first;
  const second = await runSteps(run({ position, into }));
  expect(names()).toEqual([
    ...['manifest.json', '08-01/0', '08-01/1', 'deleted_ids.csv', 'manifest.json'],
  ]);
  expect(ids(into)).toEqual(['W1', 'W3', 'W4', 'W5']);
  expect(into.get('W1')).toBe(REVISED);
  // What was deleted before the first run is not read again.
  const deletions = second.steps.flatMap((step) => step.part ?? []).at(-1);
  expect(deletions).toMatchObject({ format: 'openalex-merged', bytes: 56 });
});

it('goes on from each of its positions', async () => {
  const first = await runOneByOne(run(), 3);
  expect(ids(first.into)).toEqual(['W1', 'W2', 'W3', 'W4']);
  release();
  const { position, into } = first;
  const second = await runOneByOne(run({ position, into }), 3);
  expect(ids(second.into)).toEqual(['W1', 'W3', 'W4', 'W5']);
  expect(second.position).toEqual((await runSteps(run({ position }))).position);
});

describe('faults', () => {
  const cut = (name: string) => filesOf(stub).get(name)?.subarray(0, 60) as Buffer;

  it('fetches again what is truncated or HTML', async () => {
    const first = await runSteps(run());
    release();
    const part = 'updated_date=2026-08-01/part_0000.gz';
    const bad = new Map([
      ['manifest.json', [{ status: 503 }, { body: htmlPage }]],
      [part, [{ body: cut(part) }, { body: htmlPage }]],
      ['deleted_ids.csv.gz', [{ body: cut('deleted_ids.csv.gz') }, { body: htmlPage }]],
    ]);
    stub.instead = ({ path }) => bad.get(path.replace('/data/jsonl/works/', ''))?.shift();
    const { position, into } = first;
    await runSteps(run({ position, into }));
    expect(ids(into)).toEqual(['W1', 'W3', 'W4', 'W5']);
    expect([...bad.values()].flat()).toEqual([]);
  });

  it('follows a manifest that moved', async () => {
    stub.instead = ({ path }) =>
      path === '/data/jsonl/works/manifest.json'
        ? { status: 301, headers: { location: '/moved.json' } }
        : path === '/moved.json'
          ? { body: filesOf(stub).get('manifest.json') as Buffer }
          : undefined;
    expect((await runSteps(run())).into.size).toBe(4);
  });

  it('fails without a manifest, and with one that is none', async () => {
    stub.instead = () => ({ status: 404 });
    await expect(runSteps(run())).rejects.toThrow('there is no /data/jsonl/works/manifest.json');
    expect(stub.requests).toHaveLength(1);
    stub.instead = () => ({ body: '{"files":[{"url":"s3://openalex/../works.gz"}]}' });
    await expect(runSteps(run())).rejects.toThrow('no list of the files');
  });

  it.each([
    ['between two runs', true],
    ['within a run', false],
  ])('goes on when the snapshot changes %s', async (_, isBetween) => {
    let asked = 0;
    if (!isBetween) {
      stub.instead = () => {
        // The first file of 1 May is read, the second one is gone.
        if (++asked === 3) release();
        return undefined;
      };
    }
    const first = await runSteps(run(isBetween ? { stepsMax: 1 } : {}));
    if (isBetween) release();
    const { position, into } = first;
    await runSteps(run({ position, into }));
    // W2 was read before it was deleted, and W3 is now in the first file of its day.
    expect(ids(into)).toEqual(['W1', 'W3', 'W4', 'W5']);
    expect(into.get('W1')).toBe(REVISED);
  });

  it('fails when a file is missing or has another size, and nothing else changed', async () => {
    const part = '/data/jsonl/works/updated_date=2026-06-24/part_0000.gz';
    stub.instead = ({ path }) => (path === part ? { status: 404 } : undefined);
    await expect(runSteps(run())).rejects.toThrow(`there is no ${part}`);
    stub.instead = ({ path }) => (path === part ? { body: 'short' } : undefined);
    await expect(runSteps(run())).rejects.toThrow('has 5 bytes, not');
  });

  it('does without a list of deleted works', async () => {
    const first = await runSteps(run());
    release();
    stub.deleted = undefined;
    const { position, into } = first;
    const second = await runSteps(run({ position, into }));
    expect(ids(into)).toEqual(['W1', 'W2', 'W3', 'W4', 'W5']);
    expect((await runSteps(run({ position: second.position }))).steps).toEqual([]);
  });
});

it('is fetched and updated by commands', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'verbatim-openalex-'));
  const env = { ...withLimits({ webGapMs: 1, laneBackoffMs: 1 }), VERBATIM_OPENALEX_URL: stub.url };
  const stateAfter = async (args: string[], code = 0) => {
    const whole = ['source', ...args, '--db', join(folder, 'verbatim.db'), '--json'];
    const { stdout } = await runCommand(whole, { env, code });
    const [{ state }] = JSON.parse(stdout);
    const { outcome, requests } = state.run;
    return { outcome, requests, papers: state.papers, retryAt: state.retryAt };
  };
  const done = { outcome: 'done', papers: 24, retryAt: null };
  try {
    stub.days['2026-05-01']?.push(works(...Array.from({ length: 20 }, (_, at) => 100 + at)));
    const added = await stateAfter(['add', 'openalex', '--url', stub.url, '--yes']);
    expect(added).toEqual({ ...done, requests: 6 });
    release();
    // More than half as many as the papers, but the index has none of them.
    for (let number = 900; number < 940; number++) {
      stub.deleted?.push([`W${number}`, '2026-07-01']);
    }
    const updated = await stateAfter(['update', 'openalex-snapshot']);
    expect(updated).toEqual({ ...done, requests: 5 });

    stub.instead = () => ({ status: 429, headers: { 'retry-after': '54000' } });
    const byApi = ['add', 'openalex', '--filter', 'topics.id:T1', '--name', 'api', '--yes'];
    const postponed = await stateAfter(byApi, 1);
    expect(postponed).toMatchObject({ outcome: 'postponed', requests: 1, papers: 0 });
    expect(postponed.retryAt).toBeGreaterThan(Date.now() + 14 * 3_600_000);
    stub.requests.length = 0;
    await runCommand(['source', 'update', 'api', '--db', join(folder, 'verbatim.db')], { env });
    expect(stub.requests).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
