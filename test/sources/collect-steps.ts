/** Fetches from a stub with the real transport, and notes the steps of a provider. No index is built. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type Selection, wholeSelection } from '../../src/ingest/selection/selection.ts';
import type { Settings } from '../../src/settings/config.ts';
import type { SourceProvider } from '../../src/sources/ports/provider.ts';
import type { Position, SourceOptions } from '../../src/sources/ports/source.ts';
import { withFetcher } from './stub-fetcher.ts';

export interface Collected {
  /** A part by its name, `startOfList`, `endOfList`, or `saved`. */
  steps: string[];
  /** Names of parts that belong to a list. */
  listed: string[];
  /** The text of each part. */
  texts: string[];
  /** The position after each step. */
  positions: Position[];
  /** How the run ended; undefined: well. */
  error: unknown;
}

interface CollectOptions {
  options: SourceOptions;
  position?: Position | undefined;
  settings?: Partial<Settings>;
  selection?: Selection;
  now?: () => number;
  /** Called after each step. */
  onStep?: (step: string) => void;
  /** Steps after which the run is killed. */
  stepsMax?: number;
}

export async function collectSteps(
  provider: SourceProvider,
  {
    options,
    position,
    settings: own,
    now = Date.now,
    selection = wholeSelection,
    onStep,
    stepsMax,
  }: CollectOptions,
): Promise<Collected> {
  const done: Collected = { steps: [], listed: [], texts: [], positions: [], error: undefined };
  await withFetcher({ provider, options, settings: own }, async (fetcher, settings, query) => {
    const deps = { fetcher, settings, selection, now };
    for await (const step of provider.steps(query, position, deps)) {
      let name = 'saved';
      if (step.part !== undefined) {
        name = step.part.name;
        const bytes = readFileSync(step.part.path);
        done.texts.push((bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString());
        if (step.list === 'part') done.listed.push(name);
      } else if (step.list !== undefined) name = `${step.list}OfList`;
      done.steps.push(name);
      // Positions are stored as JSON.
      done.positions.push(JSON.parse(JSON.stringify(step.next)));
      if (done.steps.length === stepsMax) break;
      onStep?.(name);
    }
  }).catch((error: unknown) => {
    done.error = error;
  });
  return done;
}
