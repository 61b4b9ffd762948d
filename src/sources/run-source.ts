/**
 * One run of a source: fetches what is new, part by part, and indexes each part before the next one is
 * fetched. The position is saved after each part, so a killed run loses at most the part in work.
 */
import { mkdir, rm } from 'node:fs/promises';
import { VerbatimError } from '../errors.ts';
import type { IndexBuilder } from '../index/ports/index-builder.ts';
import type { SourceStore } from '../index/ports/source-store.ts';
import { type BuildListener, build } from '../ingest/build.ts';
import type { BuildCounts } from '../ingest/build-counts.ts';
import { formatNamed } from '../ingest/formats.ts';
import { listDeletions } from '../ingest/list-deletions.ts';
import type { InputFile } from '../ingest/read/input.ts';
import { startReading } from '../ingest/read-input.ts';
import { newReplacementTally, type ReplacementTally } from '../ingest/replaced-papers.ts';
import type { Selection } from '../ingest/selection/selection.ts';
import { createSelector } from '../ingest/selection/selector.ts';
import { LaneFailure, LaneSkip } from '../lanes/lane/lane-errors.ts';
import type { ProviderRecords } from '../lanes/records/lane-records.ts';
import { backoffSubject } from '../lanes/resilience/in-memory-records.ts';
import type { HttpClient } from '../lanes/transport/http-client.ts';
import type { Settings } from '../settings/config.ts';
import type { Embedding } from '../types.ts';
import { createFetcher } from './fetcher.ts';
import { type Part, SourcePostponed, type Step } from './ports/provider.ts';
import type { Position, RunOutcome, Source, SourceState } from './ports/source.ts';
import { providerNamed } from './providers.ts';
import { EXAMPLES_SHOWN, listKeyOf, removeUnlisted, wouldShrink } from './remove-unlisted.ts';

export interface RunDeps {
  settings: Settings;
  store: SourceStore<unknown, Position, SourceState>;
  builder: IndexBuilder;
  embed: (texts: string[]) => Promise<Embedding[]>;
  client: HttpClient;
  records: ProviderRecords;
  /** The process that runs it. */
  owner: string;
  /** Where parts are while they are read; made and removed here. */
  folder: string;
  selection: Selection;
  /** Whether more than half may be replaced or removed. */
  isAccepted: boolean;
  listener: RunListener;
  signal: AbortSignal;
  now: () => number;
}

export interface RunListener extends BuildListener {
  /** The part is indexed when it has resolved. */
  partStarted(part: Part): Promise<void>;
  partEnded(counts: BuildCounts): void;
  waiting(reason: string, waitMs: number): void;
}

/** Below this many papers, deletions need no confirmation. */
const GUARDED_PAPERS_MIN = 20;

/**
 * Resolves to the state after the run, which is stored. Rejects with `source_running` if another process
 * runs it, and with defects.
 */
export async function runSource(source: Source, deps: RunDeps): Promise<SourceState> {
  const { store, owner, settings, now, folder } = deps;
  const assertOwned = (isOwned: boolean): void => {
    if (isOwned) return;
    throw new VerbatimError('source_running', `another process runs the source ${source.name}`);
  };
  let renewedAt = now();
  const own = async (): Promise<void> => {
    renewedAt = now();
    assertOwned(await store.own(source.name, owner, renewedAt + settings.sourceLeaseMs));
  };
  await own();
  const state = { ...source.state, run: startedRun(now()) };
  const save: Running['save'] = async (changes) =>
    assertOwned(await store.save(source.name, owner, changes));
  await save({ state });
  const renew = async (): Promise<void> => {
    if (now() - renewedAt >= settings.sourceLeaseMs / 4) await own();
  };
  let hasRead = false;
  const noteRead = (): void => {
    hasRead = true;
  };
  const end = async (outcome: RunOutcome, message: string | null): Promise<void> => {
    endRun(state, { outcome, message, endedAt: now() });
    // It reads all records of the index, so a run that finds nothing new must not.
    if (hasRead) Object.assign(state, await store.countPapers(source.name));
    await store.save(source.name, owner, { state });
  };
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await fetchAll(source, { ...deps, state, save, renew, noteRead });
    await end('done', null);
  } catch (error) {
    await end(...outcomeOf(error, deps, state));
    if (!isExpected(error)) throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
    await store.disown(source.name, owner);
  }
  return state;
}

function startedRun(startedAt: number): SourceState['run'] {
  const counts = { requests: 0, bytes: 0, progress: null };
  return { startedAt, endedAt: null, outcome: null, message: null, ...counts };
}

interface Running extends RunDeps {
  state: SourceState;
  /** Rejects with `source_running` if the run took so long that another process owns the source. */
  save: (changes: { position?: Position; state: SourceState }) => Promise<void>;
  renew: () => Promise<void>;
  /** Called before the index may change. */
  noteRead: () => void;
}

async function fetchAll(source: Source, running: Running): Promise<void> {
  const { settings, store, state, signal, listener, now } = running;
  const provider = providerNamed(source.provider);
  const pace = typeof provider.pace === 'function' ? provider.pace(source.options) : provider.pace;
  const run = state.run as NonNullable<SourceState['run']>;
  const fetcher = createFetcher({
    client: running.client,
    limits: settings,
    records: running.records,
    subject: pace.subject,
    backoffSubject: backoffSubject(pace.subject, pace.account(settings)),
    gapMs: pace.gapMs(settings),
    requestsPerDayMax: pace.requestsPerDayMax(settings),
    quotaOf: pace.quotaOf ?? (() => ({})),
    folder: running.folder,
    signal,
    onWait: listener.waiting,
    onRequest: () => run.requests++,
    onBytes: (bytes) => {
      run.bytes += bytes;
    },
    keepAlive: running.renew,
  });
  const deps = { fetcher, settings, selection: running.selection, now };
  const replacements = newReplacementTally();
  let deletions = 0;
  for await (const step of provider.steps(source.options, source.position ?? undefined, deps)) {
    if (signal.aborted) throw new LaneSkip('closed');
    if ('part' in step || 'endOfList' in step) running.noteRead();
    if ('part' in step) {
      deletions += await takePart(source, step, { ...running, deletions, replacements });
      run.progress = step.part.progress ?? run.progress;
    } else if ('startOfList' in step) {
      await store.clearSeen(source.name);
    } else if ('endOfList' in step) {
      await removeUnlisted({
        ...running,
        source: source.name,
        documentsPerBatch: settings.documentsPerBatch,
        onProgress: running.renew,
      });
    }
    await running.save({ position: step.next, state });
    await running.renew();
  }
}

/** Indexes a part. Resolves to the number of its deletions. */
async function takePart(
  source: Source,
  { part, isOfList = false }: Extract<Step, { part: Part }>,
  running: Running & { deletions: number; replacements: ReplacementTally },
): Promise<number> {
  const { settings, builder, embed, listener, signal, store } = running;
  const { isAccepted, state, replacements } = running;
  await listener.partStarted(part);
  // Of a table, it is also the name of its ids: two files of a folder may both have a record "1".
  const shownAs = `${source.name}:${part.name}`;
  const file: InputFile = { path: part.path, shownAs, bytes: part.bytes, isNamed: true };
  const format = part.format === undefined ? undefined : formatNamed(part.format);
  const reading = { format, limits: settings, sourceName: shownAs };
  const counting = { limits: settings, builder };
  const own = part.mayDelete
    ? await listDeletions(file, startReading([file], reading), counting)
    : [];
  const deletions = running.deletions + own.length;
  if (!isAccepted && state.papers >= GUARDED_PAPERS_MIN && deletions > state.papers / 2) {
    const examples = own.slice(0, EXAMPLES_SHOWN).join(', ');
    throw wouldShrink(
      `with ${part.name}, ${deletions} of ${state.papers} papers would go, such as ${examples}`,
    );
  }
  const keys: number[] = [];
  let failure: VerbatimError | undefined;
  const counts = await build({
    ...reading,
    files: [file],
    selector: createSelector(running.selection),
    ...(isAccepted ? {} : { replacements }),
    keepsAbstracts: !source.dropsAbstracts,
    onRecord: (record) => {
      if (isOfList) keys.push(listKeyOf(record));
    },
    builder,
    embed,
    batchesInFlightMax: settings.embedThreads + 1,
    listener: {
      ...listener,
      fileFailed(_, error) {
        failure = error;
      },
      progress(progress) {
        listener.progress(progress);
        // If the source is lost, the end of the part cannot be saved.
        running.renew().catch(() => {});
      },
    },
    signal,
  });
  listener.partEnded(counts);
  if (signal.aborted) throw new LaneSkip('closed');
  // A part that breaks off is fetched again by the next run.
  if (failure !== undefined) throw failure;
  if (isOfList) await store.addSeen(source.name, keys);
  return own.length;
}

function endRun(
  state: SourceState,
  end: Pick<NonNullable<SourceState['run']>, 'outcome' | 'message'> & { endedAt: number },
): void {
  const { outcome, endedAt } = end;
  Object.assign(state.run as object, end);
  if (outcome === 'done') state.failures = 0;
  else if (outcome === 'failed' || outcome === 'stopped') state.failures++;
  if (outcome === 'done') state.succeededAt = endedAt;
  if (outcome !== 'postponed') state.retryAt = null;
}

/** What a failure means for the run. */
function outcomeOf(
  error: unknown,
  { signal }: RunDeps,
  state: SourceState,
): [outcome: RunOutcome, message: string | null] {
  if (signal.aborted) return ['interrupted', null];
  if (error instanceof SourcePostponed) {
    state.retryAt = error.until;
    return ['postponed', error.message];
  }
  if (error instanceof VerbatimError) {
    return [error.code === 'would_replace' ? 'stopped' : 'failed', error.message];
  }
  if (error instanceof LaneFailure) return ['failed', error.message];
  return ['failed', 'an internal error'];
}

function isExpected(error: unknown): boolean {
  const kinds = [VerbatimError, LaneFailure, LaneSkip, SourcePostponed];
  return kinds.some((kind) => error instanceof kind);
}
