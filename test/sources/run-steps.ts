/** Runs the steps of a provider with a real fetcher, and reads what they fetch as a build does. */
import { formatNamed } from '../../src/ingest/formats.ts';
import { readInput, startReading } from '../../src/ingest/read-input.ts';
import { wholeSelection } from '../../src/ingest/selection/selection.ts';
import type { Settings } from '../../src/settings/config.ts';
import type { Part, ProviderDeps, Step } from '../../src/sources/ports/provider.ts';
import type { Position } from '../../src/sources/ports/source.ts';
import { type StubFetcherOptions, withFetcher } from './stub-fetcher.ts';

/** What an index would have: titles by the identifiers of records. */
export type Fetched = Map<string, string>;

export interface StepsOptions extends StubFetcherOptions {
  deps?: Partial<ProviderDeps>;
  position?: Position | undefined;
  /** Stops after this many steps. */
  stepsMax?: number;
  /** Changed by what the steps fetch. */
  into?: Fetched;
}

export interface Ran {
  steps: Step[];
  /** After the last step. */
  position: Position | undefined;
  into: Fetched;
}

/** Rejects as the steps do. */
export async function runSteps(run: StepsOptions): Promise<Ran> {
  const { provider, position, stepsMax = Infinity, into = new Map() } = run;
  return withFetcher(run, async (fetcher, settings, query) => {
    const deps = { fetcher, settings, selection: wholeSelection, now: Date.now, ...run.deps };
    const ran: Ran = { steps: [], position, into };
    for await (const step of provider.steps(query, position, deps)) {
      if (step.part !== undefined) await apply(step.part, settings, into);
      ran.steps.push(step);
      // As it comes back from the database.
      ran.position = JSON.parse(JSON.stringify(step.next)) as Position;
      if (ran.steps.length >= stepsMax) break;
    }
    return ran;
  });
}

async function apply(part: Part, settings: Settings, into: Fetched): Promise<void> {
  const { path, bytes, name: shownAs } = part;
  const file = { path, bytes, shownAs, isNamed: true };
  const format = part.format === undefined ? undefined : formatNamed(part.format);
  await readInput(file, startReading([file], { format, limits: settings }), {
    async read({ source, format: own }) {
      for await (const entry of own.entries(source, settings)) {
        if ('document' in entry) into.set(keyOf(entry.document.identifiers), titleOf(entry));
        if ('deletion' in entry) into.delete(keyOf(entry.deletion));
      }
    },
    passedOver: () => {},
    failed: (_, error) => {
      throw error;
    },
    shouldStop: () => false,
  });
}

function titleOf({
  document: { title, withheld },
}: {
  document: { title: string; withheld?: string };
}): string {
  return withheld === undefined ? title : `${title} (${withheld})`;
}

function keyOf(identifiers: object): string {
  return Object.values(identifiers).join(' ');
}

/** Runs as often as one run has steps, each time for one step. The result is that of one run. */
export async function runOneByOne(run: StepsOptions, steps: number): Promise<Ran> {
  let ran = await runSteps({ ...run, stepsMax: 1 });
  for (let step = 2; step <= steps; step++) {
    ran = await runSteps({ ...run, position: ran.position, into: ran.into, stepsMax: 1 });
  }
  return ran;
}
