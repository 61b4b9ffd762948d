/** Deletes records that their source no longer has. Documents are merged anew from what is left. */
import type { IndexBuilder } from '../index/ports/index-builder.ts';
import type { Deletion } from '../index/records/plan-change.ts';
import { type BuildCounts, noCounts } from './build-counts.ts';
import type { BatchOptions } from './write-batches.ts';
import { addIncomingRecord, createBatches, writeAll } from './write-batches.ts';

export interface DeleteOptions extends Pick<BatchOptions, 'embed' | 'documentsPerBatch'> {
  builder: Omit<IndexBuilder, 'startBuild' | 'finish' | 'close'>;
}

/** Resolves to what was deleted. May be repeated: unknown records do no harm. */
export async function deleteRecords(
  deletions: readonly Deletion[],
  { builder, embed, documentsPerBatch }: DeleteOptions,
): Promise<BuildCounts> {
  const counts = noCounts();
  const resumption = {
    resumeFrom: async () => ({ entries: 0, isDone: false }),
    reached: () => [],
    saved: () => {},
    finish: async () => {},
  };
  const own = { builder, resumption, embed, documentsPerBatch, batchesInFlightMax: 1 };
  const batches = createBatches({ ...own, reject: () => {} }, counts);
  const position = {
    file: { path: '', format: '' },
    identity: undefined,
    entriesRead: 0,
    isAtEnd: true,
  };
  for (const [at, deletion] of deletions.entries()) {
    await addIncomingRecord(batches, deletion, { path: '', line: 0, position, entry: at + 1 });
  }
  await writeAll(batches);
  return counts;
}
