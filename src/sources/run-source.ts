/**
 * One run of a source: fetches what is new, part by part, and indexes each part before the next one is
 * fetched. The position is saved after each part, so a killed run loses at most the part in work.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { VerbatimError } from '../errors.ts';
import type { IndexBuilder } from '../index/ports/index-builder.ts';
import type { SourceStore } from '../index/sources/source-stores.ts';
import { type BuildListener, build } from '../ingest/build.ts';
import type { BuildCounts } from '../ingest/build-counts.ts';
import { formatNamed } from '../ingest/formats.ts';
import { listDeletions } from '../ingest/list-deletions.ts';
import { listKeyOf } from '../ingest/name-set.ts';
import type { Embed } from '../ingest/precomputed.ts';
import type { InputFile } from '../ingest/read/input.ts';
import { startReading } from '../ingest/read-input.ts';
import { newReplacementTally, type ReplacementTally } from '../ingest/replaced-papers.ts';
import { createSelector } from '../ingest/selection/selector.ts';
import { LaneFailure, LaneSkip } from '../lanes/lane/lane-errors.ts';
import type { ProviderRecords } from '../lanes/records/lane-records.ts';
import type { HttpClient } from '../lanes/transport/http-client.ts';
import type { Settings } from '../settings/config.ts';
import { createFetcher } from './fetcher.ts';
import { notedList } from './noted-list.ts';
import { type Part, SourcePostponed } from './ports/provider.ts';
import type { Position, RunOutcome, Source, SourceRun, SourceState } from './ports/source.ts';
import { providerNamed, queryOf } from './providers.ts';
import {
  assertMinority,
  countUnlisted,
  EXAMPLES_SHOWN,
  removeUnlisted,
  wouldShrink,
} from './remove-unlisted.ts';

export interface RunDeps {
  settings: Settings;
  store: SourceStore;
  builder: IndexBuilder;
  embed: Embed;
  client: HttpClient;
  records: ProviderRecords;
  /** Where parts are while they are read; made and removed here. */
  folder: string;
  /** Whether more than half may be replaced or removed. */
  isAccepted: boolean;
  listener: RunListener;
  /** Counts all parts of the run. */
  counts: BuildCounts;
  signal: AbortSignal;
  now: () => number;
}

export interface RunListener extends BuildListener {
  /** The part is indexed when it has resolved. */
  partStarted(part: Part): Promise<void>;
  waiting(reason: string, waitMs: number): void;
}

/** Below this many papers, deletions need no confirmation. */
const GUARDED_PAPERS_MIN = 20;

/**
 * Resolves to the state after the run, which is stored. Rejects with `source_running` if another process
 * runs it, and with defects.
 */
export async function runSource(source: Source, deps: RunDeps): Promise<SourceState> {
  const { store, settings, signal, now, folder } = deps;
  const { name } = source;
  /** This run. */
  const owner = randomUUID();
  const assertOwned = (isOwned: boolean): void => {
    if (isOwned) return;
    throw new VerbatimError('source_running', `another process runs the source ${name}`);
  };
  let renewedAt = Number.NEGATIVE_INFINITY;
  const renew = async (): Promise<void> => {
    if (now() - renewedAt < settings.sourceLeaseMs / 4) return;
    renewedAt = now();
    assertOwned(await store.own(name, owner, renewedAt + settings.sourceLeaseMs));
  };
  await renew();
  const run = startedRun(now());
  const state: SourceState = { ...source.state, run };
  const save: Running['save'] = async (changes) =>
    assertOwned(await store.save(name, owner, { ...changes, state }));
  await save({});
  const running: Running = { ...deps, run, state, save, renew, hasRead: false };
  const end = async (outcome: RunOutcome, message: string | null, retryAt?: number) => {
    Object.assign(run, { outcome, message, endedAt: now() });
    state.retryAt = retryAt ?? null;
    if (outcome === 'done') Object.assign(state, { failures: 0, succeededAt: run.endedAt });
    if (outcome === 'failed' || outcome === 'stopped') state.failures++;
    // It reads all records of the index, so a run that finds nothing new must not.
    if (running.hasRead) Object.assign(state, await store.countPapers(name));
    await store.save(name, owner, { state });
  };
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await fetchAll(source, running);
    await end('done', null);
  } catch (error) {
    if (signal.aborted) await end('interrupted', null);
    else if (error instanceof SourcePostponed) await end('postponed', error.message, error.until);
    else await end(...failureOf(error));
    if (!isExpected(error)) throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
    await store.disown(name, owner);
  }
  return state;
}

function startedRun(startedAt: number): SourceRun {
  const counts = { requests: 0, bytes: 0, progress: null };
  return { startedAt, endedAt: null, outcome: null, message: null, ...counts };
}

/** What a failure means for the run. */
function failureOf(error: unknown): [outcome: RunOutcome, message: string] {
  if (!isExpected(error)) return ['failed', 'an internal error'];
  const isGuard = error instanceof VerbatimError && error.code === 'would_replace';
  return [isGuard ? 'stopped' : 'failed', error.message];
}

function isExpected(error: unknown): error is Error {
  const kinds = [VerbatimError, LaneFailure, LaneSkip, SourcePostponed];
  return kinds.some((kind) => error instanceof kind);
}

interface Running extends RunDeps {
  run: SourceRun;
  state: SourceState;
  /** Rejects with `source_running` if the process is no longer the owner. */
  save: (changes: { position?: Position }) => Promise<void>;
  /** Stays the owner. Rejects as `save` does. */
  renew: () => Promise<void>;
  /** Whether the index may have changed. */
  hasRead: boolean;
}

async function fetchAll(source: Source, running: Running): Promise<void> {
  const { settings, store, signal, run, now, renew, listener } = running;
  const provider = providerNamed(source.provider);
  const pace = provider.pace(source.options);
  const pacing = { pace, keepAlive: renew, onWait: listener.waiting };
  const fetcher = createFetcher({ ...running, ...pacing });
  const deps = { fetcher, settings, selection: source.selection, now };
  const replacements = newReplacementTally();
  const query = queryOf(source, settings);
  let deletions = 0;
  for await (const step of provider.steps(query, source.position ?? undefined, deps)) {
    if (signal.aborted) throw new LaneSkip('closed');
    const { part, list, next } = step;
    running.hasRead ||= part !== undefined || list === 'end';
    if (list === 'start') await store.clearSeen(source.name);
    if (part !== undefined) {
      const isOfList = list === 'part';
      const own = { ...running, isOfList, deletions, replacements };
      deletions += await takePart(source, part, own);
      run.progress = part.progress ?? run.progress;
    }
    if (list === 'end') {
      const { documentsPerBatch } = settings;
      const pages = notedList(source.name, store);
      if (!running.isAccepted) assertMinority(await countUnlisted(pages));
      await removeUnlisted(pages, { ...running, documentsPerBatch, afterPage: renew });
      await store.clearSeen(source.name);
    }
    await running.save({ position: next });
    await renew();
  }
}

/** Indexes a part. Resolves to the number of its deletions. */
async function takePart(
  source: Source,
  part: Part,
  running: Running & { isOfList: boolean; deletions: number; replacements: ReplacementTally },
): Promise<number> {
  const { settings, builder, listener, signal, store } = running;
  const { isAccepted, state, isOfList, replacements } = running;
  await listener.partStarted(part);
  // Of a table, it is also the name of its ids: two files of a folder may both have a record "1".
  const shownAs = `${source.name}:${part.name}`;
  const file: InputFile = { path: part.path, shownAs, bytes: part.bytes, isNamed: true };
  const format = part.format === undefined ? undefined : formatNamed(part.format);
  const reading = { format, limits: settings, sourceName: shownAs };
  const own = part.mayDelete
    ? await listDeletions(file, startReading([file], reading), { limits: settings, builder })
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
  await build({
    ...running,
    ...reading,
    files: [file],
    selector: createSelector(source.selection),
    replacements: isAccepted ? undefined : replacements,
    keepsAbstracts: !source.dropsAbstracts,
    onRecord: (record) => {
      if (isOfList) keys.push(listKeyOf(record));
    },
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
  });
  if (signal.aborted) throw new LaneSkip('closed');
  // A part that breaks off is fetched again by the next run.
  if (failure !== undefined) throw failure;
  if (isOfList) await store.addSeen(source.name, keys);
  return own.length;
}
