/**
 * A short run of `npm run measure -- fuzz` in this process: each cheap target with a fixed seed, and with a new
 * one that is printed. The target `http` runs among the release tests.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runTarget } from '../../scripts/fuzz/run-target.ts';
import { targets } from '../../scripts/fuzz/targets.ts';
import { testSeed } from '../support/random.ts';

/** Cases with each of the two seeds. */
const cases: Record<string, number> = {
  body: 800,
  calls: 800,
  archives: 40,
  records: 150,
};
const FIXED_SEED = 18;
const seeds = [FIXED_SEED, testSeed() % 2 ** 31];

describe.each(seeds)('fuzzing with the seed %i', (seed) => {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-fuzz-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(Object.keys(cases))('finds nothing wrong with %s', async (name) => {
    const target = targets.find((one) => one.name === name) ?? expect.fail(`no target ${name}`);
    const run = { folder, seed, cases: cases[name] ?? 0, onProgress: () => {} };
    const outcome = await runTarget(target, run);
    expect(outcome).not.toHaveProperty('failure');
    expect(outcome.cases).toBe(cases[name]);
  });
});
