/** Runs one target in batches, each of which can be repeated by its seed. */
import fc from 'fast-check';
import { detailsOf } from '../../src/errors.ts';

/** What can be fuzzed. A target generates cases, and fails where the program breaks its word. */
export interface FuzzTarget {
  name: string;
  /** `folder` is an existing folder for its files. It searches a copy of the index at `index`. */
  open(folder: string, index: string): Promise<OpenTarget>;
}

interface OpenTarget {
  /** Holds for every case: throws, or rejects, if the program breaks its word. */
  property: fc.IRawProperty<unknown>;
  /** Checks what only shows at the end, such as the ledger of a server. */
  close?(): Promise<void> | void;
}

/** A case must end within this time, or it counts as a hang. */
const CASE_MS_MAX = 60_000;
const BATCH = 500;

interface FuzzRun {
  folder: string;
  /** The index to copy. */
  index: string;
  seed: number;
  cases: number;
}

export interface FuzzOutcome {
  cases: number;
  /** How to repeat a failure and what it says; undefined if nothing failed. */
  failure?: string;
}

/** Runs a target's cases. Stops at the first failure, which it shrinks. */
export async function runTarget(
  target: FuzzTarget,
  { folder, index, seed, cases }: FuzzRun,
): Promise<FuzzOutcome> {
  const { property, close } = await target.open(folder, index);
  let failure: string | undefined;
  let done = 0;
  try {
    for (let batch = 0; done < cases && failure === undefined; batch++) {
      const numRuns = Math.min(BATCH, cases - done);
      const details = await fc.check(property, {
        seed: seed + batch,
        numRuns,
        interruptAfterTimeLimit: CASE_MS_MAX * numRuns,
      });
      done += details.numRuns;
      if (details.failed) failure = describe(seed + batch, details);
    }
  } finally {
    await close?.();
  }
  return failure === undefined ? { cases: done } : { cases: done, failure };
}

function describe(seed: number, details: fc.RunDetails<unknown>): string {
  return [
    `repeat with VERBATIM_TEST_SEED=${seed}`,
    fc.defaultReportMessage(details) ?? '',
    detailsOf(details.errorInstance),
  ].join('\n');
}
