/**
 * The pending changes of a build: changes that wait for a batch, batches that are being embedded,
 * and their transactions, in reading order.
 */
import type { KeptRecord } from '../identity/kept-record.ts';
import type { IndexedChange, PlannedChange } from '../index/documents/make-change.ts';
import type { IndexBuilder, PlanReader } from '../index/ports/index-builder.ts';
import {
  type IncomingRecord,
  keysOfIncomingRecord,
  type PlannedDocument,
} from '../index/records/plan-change.ts';
import type { Embedding } from '../types.ts';
import type { Resumption, UnwrittenEntry } from './build-checkpoints.ts';
import { type BuildCounts, countChange } from './build-counts.ts';
import { type PreparedDocument, prepareDocument, withVectors } from './prepare.ts';

/** Where an entry is. */
export interface EntryLocation extends UnwrittenEntry {
  path: string;
  line: number;
}

export interface BatchOptions {
  builder: PlanReader & Pick<IndexBuilder, 'apply' | 'saveCheckpoints'>;
  resumption: Resumption;
  /** Embeds texts on other threads. The result has the order of the texts. */
  embed: (texts: string[]) => Promise<Embedding[]>;
  documentsPerBatch: number;
  /** Batches embedded concurrently. */
  batchesInFlightMax: number;
  /** Called with a record that would join more records than one paper can have. */
  reject: (location: EntryLocation, record: KeptRecord | undefined) => void;
}

interface Change {
  location: EntryLocation;
  incoming: IncomingRecord;
  planned: PlannedChange;
  /** The documents whose texts must be embedded. */
  prepared: Map<PlannedDocument, PreparedDocument>;
}

interface Batch {
  changes: Change[];
  vectors: Promise<Embedding[]>;
}

export interface Batches extends BatchOptions {
  counts: BuildCounts;
  /** Changes for the next batch. */
  waiting: Change[];
  /** Batches being embedded, oldest first. */
  inFlight: Batch[];
  /** Changes that another process has overtaken. They must be planned again. */
  stale: Change[];
  /** The keys of all pending changes. No two changes share a key. */
  pending: Set<string>;
  /** The entries of all pending changes, in reading order. */
  unwritten: Set<EntryLocation>;
  checkpointsSavedAt: number;
}

/** A batch may hold this many times its documents in changes without texts, which are fast to write. */
const SMALL_CHANGES = 16;

/** If nothing is written for this long, checkpoints are saved on their own. */
const CHECKPOINT_INTERVAL_MS = 5_000;

export function createBatches(options: BatchOptions, counts: BuildCounts): Batches {
  return {
    ...options,
    counts,
    waiting: [],
    inFlight: [],
    stale: [],
    pending: new Set(),
    unwritten: new Set(),
    checkpointsSavedAt: performance.now(),
  };
}

/** Plans what an incoming record changes, and adds it to the next batch. */
export async function addIncomingRecord(
  batches: Batches,
  incoming: IncomingRecord,
  location: EntryLocation,
): Promise<void> {
  const { documentsPerBatch, builder, batchesInFlightMax } = batches;
  batches.unwritten.add(location);
  if (keysOfIncomingRecord(incoming).some((key) => batches.pending.has(key)))
    await writeAll(batches);
  const planned = await builder.plan(incoming);
  if (planned.outcome === 'refused') {
    batches.unwritten.delete(location);
    batches.reject(location, 'record' in incoming ? incoming.record : undefined);
    return;
  }
  if (planned.removedRecords.length + planned.documents.length + planned.waiting.length === 0) {
    batches.unwritten.delete(location);
    countChange(batches.counts, { planned, prepared: [] });
    return;
  }
  const changed = planned.documents.filter(({ keeps }) => keeps === undefined);
  const known = changed.length > 0 ? await builder.unitsOf(planned) : undefined;
  const prepared = new Map(changed.map((one) => [one, prepareDocument(one.document, { known })]));
  for (const key of planned.keys) batches.pending.add(key);
  batches.waiting.push({ location, incoming, planned, prepared });
  if (!isFull(batches.waiting, documentsPerBatch)) return;
  startBatch(batches);
  if (batches.inFlight.length > batchesInFlightMax) await writeOldest(batches);
}

function isFull(changes: readonly Change[], documentsPerBatch: number): boolean {
  if (changes.length >= SMALL_CHANGES * documentsPerBatch) return true;
  const documents = changes.reduce((sum, { prepared }) => sum + prepared.size, 0);
  return documents >= documentsPerBatch;
}

function startBatch(batches: Batches): void {
  if (batches.waiting.length === 0) return;
  const changes = batches.waiting;
  batches.waiting = [];
  const texts = changes.flatMap(({ prepared }) =>
    [...prepared.values()].flatMap((document) => document.texts),
  );
  const vectors = texts.length === 0 ? Promise.resolve([]) : batches.embed(texts);
  // Whoever awaits the batch gets the failure. Until then it must not count as unhandled.
  vectors.catch(() => {});
  batches.inFlight.push({ changes, vectors });
}

async function writeOldest(batches: Batches): Promise<void> {
  const batch = batches.inFlight.shift();
  if (batch === undefined) return;
  const vectors = await batch.vectors;
  let next = 0;
  const indexed = batch.changes.map(({ incoming, planned, prepared }): IndexedChange => {
    const contents = new Map(
      [...prepared].map(([planned, document]) => {
        const own = vectors.slice(next, next + document.texts.length);
        next += document.texts.length;
        return [planned, withVectors(document, own)];
      }),
    );
    return { incoming, planned, contents };
  });
  const firstWithout = (stale: readonly IndexedChange[]): EntryLocation | undefined =>
    firstUnwritten(
      batches,
      new Set(
        batch.changes
          .filter((_, at) => !stale.includes(indexed[at] as IndexedChange))
          .map(({ location }) => location),
      ),
    );
  const stale = await batches.builder.apply(indexed, (stale) =>
    batches.resumption.reached(firstWithout(stale)),
  );
  for (const [at, change] of batch.changes.entries()) {
    finishChange(batches, change, { made: indexed[at] as IndexedChange, stale });
  }
  noteSaved(batches);
}

/** Returns the first entry that is not written, apart from those that are about to be. */
function firstUnwritten(
  { unwritten }: Batches,
  written: ReadonlySet<EntryLocation> = new Set(),
): EntryLocation | undefined {
  for (const location of unwritten) if (!written.has(location)) return location;
  return undefined;
}

/** Counts a change that was written, or keeps one that must be planned again. */
function finishChange(
  batches: Batches,
  change: Change,
  { made, stale }: { made: IndexedChange; stale: readonly IndexedChange[] },
): void {
  if (stale.includes(made)) {
    batches.stale.push(change);
    return;
  }
  countChange(batches.counts, {
    planned: change.planned,
    prepared: [...change.prepared.values()],
  });
  for (const key of change.planned.keys) batches.pending.delete(key);
  batches.unwritten.delete(change.location);
}

/** Writes all pending changes. */
export async function writeAll(batches: Batches): Promise<void> {
  while (batches.waiting.length + batches.inFlight.length + batches.stale.length > 0) {
    startBatch(batches);
    while (batches.inFlight.length > 0) await writeOldest(batches);
    const stale = batches.stale;
    batches.stale = [];
    for (const { planned } of stale) for (const key of planned.keys) batches.pending.delete(key);
    for (const { incoming, location } of stale)
      await addIncomingRecord(batches, incoming, location);
  }
}

/** Saves how far the build has come. */
export async function saveCheckpoints(batches: Batches): Promise<void> {
  await batches.builder.saveCheckpoints(batches.resumption.reached(firstUnwritten(batches)));
  noteSaved(batches);
}

function noteSaved(batches: Batches): void {
  batches.resumption.saved(firstUnwritten(batches));
  batches.checkpointsSavedAt = performance.now();
}

/** Whether checkpoints have not been saved for a while. */
export function areCheckpointsDue({ checkpointsSavedAt }: Batches): boolean {
  return performance.now() - checkpointsSavedAt >= CHECKPOINT_INTERVAL_MS;
}
