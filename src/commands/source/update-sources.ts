/** Runs sources one after the other, with progress and a report. */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { VerbatimError } from '../../errors.ts';
import { isOnPostgres, placeOf } from '../../index/open/index-place.ts';
import { openIndex } from '../../index/open/open-index.ts';
import { trustedOrigins, userAgentOf } from '../../lanes/lane-settings.ts';
import { createInMemoryRecords } from '../../lanes/resilience/in-memory-records.ts';
import { createHttpClient } from '../../lanes/transport/http-client.ts';
import type { Settings } from '../../settings/config.ts';
import type { Source, SourceState } from '../../sources/ports/source.ts';
import { providerNamed } from '../../sources/providers.ts';
import { type RunListener, runSource } from '../../sources/run-source.ts';
import { createEmbedPool } from '../../text/embed/embed-pool.ts';
import { deviceNamed } from '../../text/embed/inference-device.ts';
import { loadModel } from '../../text/embed/model.ts';
import { listenForInterruption } from '../cli/interruption.ts';
import { lowerPriority } from '../cli/lower-priority.ts';
import { openSharedLanes } from '../cli/open-shared-lanes.ts';
import { formatCounted, print, printable, printJson } from '../cli/output.ts';
import { createProgressDisplay, formatDuration, type ProgressDisplay } from '../cli/progress.ts';
import { createListener } from '../index/build-listener.ts';
import { finishIndex } from '../index/finish-index.ts';
import { type RecordFilterOptions, selectionOf } from '../index/selection-options.ts';
import { describeAnnouncement } from './announce.ts';
import { createRunHistory, type RunHistory } from './run-history.ts';
import { listSources, type OpenSources, sourcesNamed, withSources } from './with-sources.ts';

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
  await withSources(settings, async (store) => {
    const sources = sourcesNamed(await listSources(store), names);
    if (sources.length === 0) {
      throw new VerbatimError('usage', 'there are no sources; see: verbatim source add --help');
    }
    if (options.isDryRun) printPlans(sources, options);
    else await runAll(store, sources, options);
  });
}

function printPlans(sources: readonly Source[], { settings, json }: UpdateOptions): void {
  const plans = sources.map((source) => {
    const announcement = providerNamed(source.provider).announce(source.options, settings);
    return { ...source, ...announcement };
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
  store: OpenSources,
  sources: readonly Source[],
  { settings, json, isAccepted = false }: UpdateOptions,
): Promise<void> {
  lowerPriority(settings);
  const model = loadModel(settings.model);
  const builder = await (await openIndex(placeOf(settings))).builder(model);
  const threads = settings.embedThreads;
  const device = deviceNamed(settings.embedDevice);
  const pool = createEmbedPool({ model: settings.model, device, threads, queueMax: threads + 2 });
  const shared = await openSharedLanes(settings);
  const records = shared?.records ?? createInMemoryRecords();
  const display = createProgressDisplay(process.stderr, { format: json ? 'json' : 'text' });
  const interruption = listenForInterruption(display);
  const { signal } = interruption;
  const ended: { name: string; state: SourceState }[] = [];
  try {
    for (const source of sources) {
      if (signal.aborted) break;
      const { retryAt } = source.state;
      if (retryAt !== null && retryAt > Date.now()) {
        display.message(`${source.name}: not before ${new Date(retryAt).toISOString()}`);
        continue;
      }
      const client = createClient(settings, source);
      const history = createRunHistory(builder, source.name);
      try {
        const state = await runSource(source, {
          settings,
          store,
          builder,
          client,
          signal,
          isAccepted,
          embed: (texts) => pool.embed(texts),
          records,
          owner: randomUUID(),
          folder: folderOf(settings, source),
          selection: selectionOf(filtersOf(source)),
          listener: listenerOf(display, source, { settings, history }),
          now: Date.now,
        });
        await history.ended(state);
        ended.push({ name: source.name, state });
      } catch (error) {
        if (!(error instanceof VerbatimError && error.code === 'source_running')) throw error;
        display.message(error.message);
      } finally {
        await client.close();
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
  const failed = ended.filter(({ state: { run } }) => run?.outcome !== 'done');
  if (failed.length === 0) return;
  const why = failed.map(({ name, state }) => `${name}: ${state.run?.message}`);
  throw new VerbatimError('source_failed', why.join('; '));
}

function createClient(settings: Settings, { options: { url } }: Source) {
  const own = url !== undefined && URL.canParse(url) ? [new URL(url).origin] : [];
  return createHttpClient({
    userAgent: userAgentOf(settings),
    timeoutMs: settings.sourceTimeoutMs,
    responseBytesMax: settings.sourcePageBytesMax,
    // The operator named it, so it may be on a private network.
    trustedOrigins: new Set([...trustedOrigins(settings), ...own]),
  });
}

/** Beside the index, where there is room for it. */
function folderOf(settings: Settings, { name }: Source): string {
  const beside = isOnPostgres(settings) ? tmpdir() : dirname(settings.database);
  return join(beside, `verbatim-source-${name}`);
}

function filtersOf({ selection }: Source): RecordFilterOptions {
  const { year, ...filters } = selection as RecordFilterOptions;
  // JSON has no infinity.
  return year === undefined
    ? filters
    : { ...filters, year: { ...year, to: year.to ?? Number.POSITIVE_INFINITY } };
}

function listenerOf(
  display: ProgressDisplay,
  { name }: Source,
  { settings, history }: { settings: Settings; history: RunHistory },
): RunListener {
  const listener = createListener(display, {
    problemsShownMax: settings.problemsShownMax,
    tally: history.tally,
    skippedLog: undefined,
    recordProgress: () => {},
    isBrief: false,
  });
  return {
    ...listener,
    fileStarted: () => {},
    async partStarted(part) {
      await history.partStarted();
      const { done, total } = part.progress ?? {};
      const place = done === undefined ? '' : ` (${done} of ${total})`;
      display.status(`${name}: reading ${part.name}${place}`);
    },
    partEnded: history.partEnded,
    waiting: (reason, waitMs) =>
      display.message(`${name}: ${reason}; waiting ${formatDuration(waitMs / 1000)}`),
  };
}

function report(ended: readonly { name: string; state: SourceState }[], json: boolean): void {
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
