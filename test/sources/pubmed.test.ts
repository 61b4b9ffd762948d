/** Sources from PubMed, fetched from a stub of NLM's server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SourcePostponed } from '../../src/sources/ports/provider.ts';
import { pubmedProvider } from '../../src/sources/providers/pubmed.ts';
import { htmlPage, type StubAnswer } from '../support/lanes/stub-server.ts';
import { withLimits } from '../support/limits.ts';
import { runCommand } from '../support/verbatim.ts';
import { type Collected, collectSteps } from './collect-steps.ts';
import { type PubmedStub, startPubmed } from './stubs/pubmed-stub.ts';

let stub: PubmedStub;
beforeAll(async () => {
  stub = await startPubmed();
});
afterAll(() => stub.close());
beforeEach(() => {
  stub.faults.clear();
  stub.publish('26', [[1, 2], [3]], [[4, -1]]);
  stub.asked();
});

const run = (own: Partial<Parameters<typeof collectSteps>[1]> = {}) =>
  collectSteps(pubmedProvider, { options: { url: `${stub.url}/pubmed` }, ...own });

const last = ({ positions }: Collected) => positions.at(-1);
const whole = ['baseline/', 'updatefiles/'];
const [one, two, three] = [
  'baseline/pubmed26n0001.xml.gz',
  'baseline/pubmed26n0002.xml.gz',
  'updatefiles/pubmed26n0003.xml.gz',
] as const;
const withMd5 = (...names: string[]) => names.flatMap((name) => [`${name}.md5`, name]);

describe('the pubmed source', () => {
  it('fetches the baseline and the updates, later only new updates', async () => {
    const first = await run();
    expect(first).toMatchObject({ steps: [one, two, three], listed: [], error: undefined });
    expect(first.texts[2]).toContain('<DeleteCitation><PMID Version="1">1</PMID>');
    expect(stub.asked()).toEqual([...whole, ...withMd5(one, two, three)]);

    expect((await run({ position: last(first) })).steps).toEqual([]);
    expect(stub.asked()).toEqual(whole);

    stub.files.set('updatefiles/pubmed26n0004.xml.gz', [5]);
    const later = await run({ position: last(first) });
    expect(later.steps).toEqual(['updatefiles/pubmed26n0004.xml.gz']);
    expect(stub.asked()).toHaveLength(4);
  });

  it('replaces all with the baseline of a new year', async () => {
    const old = last(await run());
    stub.publish('27', [[1], [2]], [[6]]);
    stub.files.set(three, [4]);
    const names = ['baseline/pubmed27n0001.xml.gz', 'baseline/pubmed27n0002.xml.gz'];
    const { steps, listed } = await run({ position: old });
    const expected = ['startOfList', ...names, 'endOfList', 'updatefiles/pubmed27n0003.xml.gz'];
    expect({ steps, listed }).toEqual({ steps: expected, listed: names });
  });

  it('goes on from each position, also within a new baseline', async () => {
    const old = last(await run());
    stub.publish('27', [[1], [2]], [[6]]);
    const { steps } = await run({ position: old });
    for (let stepsMax = 1; stepsMax < steps.length; stepsMax++) {
      const killed = await run({ position: old, stepsMax });
      const rest = await run({ position: last(killed) });
      expect([...killed.steps, ...rest.steps]).toEqual(steps);
      expect(rest.listed.length).toBe(
        steps.slice(stepsMax).filter((step) => /^base/.test(step)).length,
      );
    }
  });

  it.each([
    ['has a gap', () => stub.publish('27', [[1], [2], [3]], []), 'baseline/pubmed27n0002.xml.gz'],
    ['has fewer files than the one before', () => stub.publish('27', [[1]], []), undefined],
    [
      'ends before its updates',
      () => stub.publish('27', [[1], [2], [3]], [[4]]),
      'baseline/pubmed27n0003.xml.gz',
    ],
  ])('leaves what it has while a new baseline %s', async (_, publish, missing) => {
    const old = last(await run());
    publish();
    if (missing !== undefined) stub.files.delete(missing);
    stub.asked();
    const { steps, error } = await run({ position: old });
    expect(steps).toEqual([]);
    expect(String(error)).toContain("PubMed's baseline of 2027 is incomplete now");
    expect(stub.asked()).toEqual([...whole, ...whole]);
  });

  it('lists anew when files vanish while it reads', async () => {
    const change = (step: string): void => {
      if (step === one) stub.publish('27', [[1], [2]], [[6]]);
    };
    const { steps, error } = await run({ onStep: change });
    const own = steps.map((step) => step.replace(/.*pubmed/, ''));
    const named = ['26n0001.xml.gz', 'startOfList', '27n0001.xml.gz', '27n0002.xml.gz'];
    expect({ own, error }).toEqual({
      own: [...named, 'endOfList', '27n0003.xml.gz'],
      error: undefined,
    });

    const gone = Array.from({ length: 2 }, () => ({ status: 404 }));
    stub.faults.set('baseline/pubmed27n0001.xml.gz', gone);
    expect(String((await run()).error)).toContain(
      'there is no /pubmed/baseline/pubmed27n0001.xml.gz',
    );
  });

  it('waits for an update file that is missing between others', async () => {
    const missing = 'updatefiles/pubmed26n0004.xml.gz';
    stub.files.set('updatefiles/pubmed26n0005.xml.gz', [5]);
    const { error, ...first } = await run();
    expect(first.steps).toEqual([one, two, three]);
    expect(String(error)).toContain(
      'PubMed lists updatefiles/pubmed26n0005.xml.gz, but not the one before',
    );
    stub.files.set(missing, [6]);
    const { steps } = await run({ position: last(first as Collected) });
    expect(steps).toEqual([missing, 'updatefiles/pubmed26n0005.xml.gz']);
  });

  it('does not go back to an earlier baseline', async () => {
    const position = { year: '27', done: 9, baselineFiles: 9 };
    const { steps, error } = await run({ position });
    expect(steps).toEqual([]);
    expect(String(error)).toContain('an earlier one');
  });

  const md5 = `${one}.md5`;
  const redirect = { status: 302, headers: { location: `/moved/${one}` } };
  it.each<[string, string, StubAnswer, requests: number]>([
    ['a part with another MD5', one, { body: gzipSync('<PubmedArticleSet/>') }, 1],
    ['a truncated part', one, { body: gzipSync('<PubmedArticleSet/>').subarray(0, 15) }, 1],
    [
      'a part that breaks off',
      one,
      { headers: { 'content-length': '999' }, body: 'x', fault: 'reset' },
      1,
    ],
    ['a web page for a part', one, { body: htmlPage }, 1],
    ['a web page for an MD5', md5, { body: htmlPage }, 1],
    ['a web page for a listing', 'baseline/', { body: htmlPage }, 1],
    ['a web page for the updates', 'updatefiles/', { body: htmlPage }, 1],
    ['an overloaded server', one, { status: 503 }, 1],
    ['a moved part', one, redirect, 1],
  ])('gets over %s', async (_, path, fault, requests) => {
    stub.faults.set(path, [fault]);
    const { steps, error } = await run();
    expect({ steps, error }).toEqual({ steps: [one, two, three], error: undefined });
    expect(stub.asked()).toHaveLength(8 + requests);
  });

  it('fails when the MD5 differs each time', async () => {
    stub.faults.set(
      one,
      Array.from({ length: 9 }, () => ({ body: 'x' })),
    );
    const { steps, error } = await run({ settings: { sourceAttemptsMax: 3 } });
    expect(steps).toEqual([]);
    expect(String(error)).toContain('the MD5 of pubmed26n0001.xml.gz differs');
    expect(stub.asked()).toEqual([...whole, md5, one, one, one]);
  });

  it('ends when it is asked to wait for hours', async () => {
    stub.faults.set(two, [{ status: 429, headers: { 'retry-after': '54000' } }]);
    const { steps, error } = await run();
    expect(steps).toEqual([one]);
    expect(error).toBeInstanceOf(SourcePostponed);
    expect((error as SourcePostponed).until - Date.now()).toBeGreaterThan(14 * 3_600_000);
  });
});

it('applies deletions and a new baseline to the index', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'verbatim-sources-'));
  const source = async (args: string[], code = 0) => {
    const env = withLimits({ sourceGapMs: 1, laneBackoffMs: 1 });
    const common = ['--db', join(folder, 'verbatim.db'), '--json'];
    const { stdout } = await runCommand(['source', ...args, ...common], { code, env });
    const [{ state }] = JSON.parse(stdout);
    return { outcome: state.run.outcome, papers: state.papers, message: state.run.message };
  };
  try {
    const added = await source(['add', 'pubmed', '--url', `${stub.url}/pubmed/`, '--yes']);
    expect(added).toEqual({ outcome: 'done', papers: 3, message: null });
    // Of 2, 3, and 4, the new baseline lacks 3 and 4.
    stub.publish('27', [[2], []], [[5]]);
    const stopped = await source(['update'], 1);
    expect(stopped).toMatchObject({ outcome: 'stopped', papers: 3 });
    expect(stopped.message).toContain('2 of 3 records are no longer listed');
    expect(await source(['update', '--accept'])).toMatchObject({ outcome: 'done', papers: 2 });
  } finally {
    await rm(folder, { recursive: true });
  }
});
