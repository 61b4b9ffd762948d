/** Runs one target in batches, so that progress shows and each batch can be repeated by its seed. */
import fc from 'fast-check';
import { detailsOf } from '../../src/errors.ts';

/** What can be fuzzed. A target generates cases, and fails where the program breaks its word. */
export interface FuzzTarget {
  name: string;
  /** One line for --help. */
  description: string;
  /** Its part of `--cases`, larger for cheap targets. The parts of all targets add up to 1. */
  share: number;
  /** `folder` is an existing folder for its files. It searches a copy of the index `db`, or the sample. */
  open(folder: string, db?: string): Promise<OpenTarget>;
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
  /** The index to copy; undefined: the sample. */
  db?: string | undefined;
  seed: number;
  cases: number;
  /** Called after each batch with the number of cases so far. */
  onProgress(done: number): void;
}

export interface FuzzOutcome {
  target: string;
  /** The seed of the first batch; each further batch counts one up. */
  seed: number;
  cases: number;
  seconds: number;
  /** How to repeat a failure and what it says; undefined if nothing failed. */
  failure?: string;
}

/** Runs a target's cases. Stops at the first failure, which it shrinks. */
export async function runTarget(
  target: FuzzTarget,
  { folder, db, seed, cases, onProgress }: FuzzRun,
): Promise<FuzzOutcome> {
  const started = performance.now();
  const { property, close } = await target.open(folder, db);
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
      if (details.failed) failure = describe(target, seed + batch, numRuns, details);
      onProgress(done);
    }
  } finally {
    await close?.();
  }
  const seconds = (performance.now() - started) / 1_000;
  const outcome = { target: target.name, seed, cases: done, seconds };
  return failure === undefined ? outcome : { ...outcome, failure };
}

function describe(
  { name }: FuzzTarget,
  seed: number,
  cases: number,
  details: fc.RunDetails<unknown>,
): string {
  return [
    `repeat with: npm run measure -- fuzz --target ${name} --seed ${seed} --cases ${cases}`,
    fc.defaultReportMessage(details) ?? '',
    detailsOf(details.errorInstance),
  ].join('\n');
}
