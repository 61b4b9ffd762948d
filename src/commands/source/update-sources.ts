/** Runs sources one after the other, with progress and a report. */
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { VerbatimError } from '../../errors.ts';
import { isOnPostgres, placeOf } from '../../index/open/index-place.ts';
import { openIndex } from '../../index/open/open-index.ts';
import type { SourceStore } from '../../index/sources/source-stores.ts';
import { noCounts } from '../../ingest/build-counts.ts';
import { createClient } from '../../lanes/create-lanes.ts';
import { createInMemoryRecords } from '../../lanes/resilience/in-memory-records.ts';
import type { Settings } from '../../settings/config.ts';
import type { Source, SourceState } from '../../sources/ports/source.ts';
import { announce } from '../../sources/providers.ts';
import { type RunDeps, runSource } from '../../sources/run-source.ts';
import { loadModel } from '../../text/embed/model.ts';
import { listenForInterruption } from '../cli/interruption.ts';
import { lowerPriority } from '../cli/lower-priority.ts';
import { openSharedLanes } from '../cli/open-shared-lanes.ts';
import { formatCounted, print, printable, printJson } from '../cli/output.ts';
import { createProgressDisplay, formatDuration, type ProgressDisplay } from '../cli/progress.ts';
import { createListener } from '../index/build-listener.ts';
import { openEmbedPool } from '../index/embed-pool.ts';
import { createFileTally } from '../index/file-tally.ts';
import { finishIndex } from '../index/finish-index.ts';
import { type BuildRecorder, recordBuild } from '../index/record-build.ts';
import { describeAnnouncement } from './announce.ts';
import { sourcesNamed, withSources } from './with-sources.ts';

export interface UpdateOptions {
  settings: Settings;
  json: boolean;
  isDryRun?: boolean;
  isAccepted?: boolean;
}

/**
 * Runs the sources with these names, or all. Throws `interrupted` after Ctrl-C, and `source_failed` if
 * one did not end well; the others ran nevertheless.
 */
export async function updateSources(
  names: readonly string[],
  options: UpdateOptions,
): Promise<void> {
  const { settings } = options;
  await withSources(settings, async (store, all) => {
    const sources = sourcesNamed(all, names);
    if (sources.length === 0) {
      throw new VerbatimError('usage', 'there are no sources; see: verbatim source add --help');
    }
    if (options.isDryRun) printPlans(sources, options);
    else await runAll(store, sources, options);
  });
}

function printPlans(sources: readonly Source[], { settings, json }: UpdateOptions): void {
  const plans = sources.map((source) => {
    return { ...source, ...announce(source, settings) };
  });
  if (json) {
    printJson(plans);
    return;
  }
  for (const plan of plans) {
    const since = plan.position === null ? 'from the start' : 'what changed since the last run';
    print(`${plan.name}: ${since}\n${describeAnnouncement(plan)}`);
  }
}

async function runAll(
  store: SourceStore,
  sources: readonly Source[],
  { settings, json, isAccepted = false }: UpdateOptions,
): Promise<void> {
  lowerPriority(settings);
  const model = loadModel(settings.model);
  const builder = await (await openIndex(placeOf(settings))).builder(model);
  const pool = openEmbedPool(settings);
  const shared = await openSharedLanes(settings);
  const records = shared?.records ?? createInMemoryRecords();
  const display = createProgressDisplay(process.stderr, { format: json ? 'json' : 'text' });
  const interruption = listenForInterruption(display);
  const { signal } = interruption;
  const ended: Ended[] = [];
  const deps = {
    settings,
    store,
    builder,
    embed: pool.embed,
    records,
    isAccepted,
    signal,
    now: Date.now,
  };
  try {
    for (const source of sources) {
      if (signal.aborted) break;
      const { retryAt } = source.state;
      if (retryAt !== null && retryAt > Date.now()) {
        display.message(`${source.name}: not before ${new Date(retryAt).toISOString()}`);
        continue;
      }
      try {
        ended.push({ name: source.name, state: await run(source, deps, display) });
      } catch (error) {
        if (!(error instanceof VerbatimError && error.code === 'source_running')) throw error;
        display.message(error.message);
      }
    }
    await finishIndex(builder, { showStatus: display.status, signal });
  } finally {
    display.finish();
    interruption.stop();
    await shared?.close();
    await pool.close();
    await builder.close();
  }
  report(ended, json);
  if (signal.aborted) {
    throw new VerbatimError('interrupted', 'interrupted; run `verbatim source update` to go on');
  }
  const failed = ended.filter(({ state }) => state.run?.outcome !== 'done');
  if (failed.length === 0) return;
  const why = failed.map(({ name, state }) => `${name}: ${state.run?.message}`);
  throw new VerbatimError('source_failed', why.join('; '));
}

interface Ended {
  name: string;
  state: SourceState;
}

type SharedDeps = Omit<RunDeps, 'client' | 'folder' | 'listener' | 'counts'>;

/** Runs a source. A run that reads something leaves a report in the history of builds. */
async function run(
  source: Source,
  deps: SharedDeps,
  display: ProgressDisplay,
): Promise<SourceState> {
  const { settings, builder } = deps;
  const { name } = source;
  const tally = createFileTally();
  const counts = noCounts();
  const history = { files: [`source ${name}`], tally };
  let recorder: BuildRecorder | undefined;
  const listener = createListener(display, {
    problemsShownMax: settings.problemsShownMax,
    tally,
    skippedLog: undefined,
    recordProgress: () => {},
    isBrief: false,
  });
  const timeoutMs = settings.sourceTimeoutMs;
  const client = createClient(settings, { timeoutMs, origins: originsOf(source) });
  try {
    const state = await runSource(source, {
      ...deps,
      client,
      counts,
      folder: folderOf(settings, source),
      listener: {
        ...listener,
        fileStarted: () => {},
        async partStarted(part) {
          recorder ??= await recordBuild(builder, history);
          const { done, total } = part.progress ?? {};
          const place = done === undefined ? '' : ` (${done} of ${total})`;
          display.status(`${name}: reading ${part.name}${place}`);
        },
        waiting: (reason, waitMs) =>
          display.message(`${name}: ${reason}; waiting ${formatDuration(waitMs / 1000)}`),
      },
    });
    const outcome = state.run?.outcome === 'postponed' ? 'interrupted' : state.run?.outcome;
    const isEnd = outcome === 'done' || outcome === 'interrupted';
    await recorder?.ended(isEnd ? outcome : 'failed', counts);
    return state;
  } finally {
    await client.close();
  }
}

/** Of an address that the operator named: it may be on a private network. */
function originsOf({ options: { url } }: Source): string[] {
  return url !== undefined && URL.canParse(url) ? [new URL(url).origin] : [];
}

/** Beside the index, where there is room for it. */
function folderOf(settings: Settings, { name }: Source): string {
  const beside = isOnPostgres(settings) ? tmpdir() : dirname(settings.database);
  return join(beside, `verbatim-source-${name}`);
}

function report(ended: readonly Ended[], json: boolean): void {
  if (json) {
    printJson(ended);
    return;
  }
  for (const { name, state } of ended) {
    const { outcome = null, requests = 0, message = null } = state.run ?? {};
    const papers = formatCounted(state.papers, 'paper', 'papers');
    const asked = formatCounted(requests, 'request', 'requests');
    print(`${name}: ${outcome}, ${papers}, ${asked}${message ? `: ${printable(message)}` : ''}`);
  }
}
