/** A target as the tests of a file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { testSeed } from '../support/random.ts';
import { type FuzzTarget, runTarget } from './run-target.ts';

/** VERBATIM_TEST_CASES: how many times as many cases, for a run of hours. */
const TIMES = Number(process.env['VERBATIM_TEST_CASES'] ?? 1);
const TEST_MS_MAX = 600_000;
const FIXED_SEED = 18;
const seeds = [FIXED_SEED, testSeed() % 2 ** 31];

/** Tests targets, each with so many cases with a fixed seed, and with a new one that is printed. */
export function testTargets(targets: readonly [FuzzTarget, cases: number][]): void {
  describe.each(seeds)('fuzzing with the seed %i', (seed) => {
    it.each(targets.map(([target, cases]) => ({ ...target, target, cases: cases * TIMES })))(
      'finds nothing wrong with $name',
      async ({ target, cases }) => {
        const folder = mkdtempSync(join(tmpdir(), 'verbatim-fuzz-'));
        onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
        const run = { folder, index: inject('sampleIndex'), seed, cases };
        expect(await runTarget(target, run)).toEqual({ cases });
      },
      TEST_MS_MAX * TIMES,
    );
  });
}
