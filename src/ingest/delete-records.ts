/** Deletes records that their source no longer has. Documents are merged anew from what is left. */
import type { IndexBuilder } from '../index/ports/index-builder.ts';
import type { Deletion } from '../index/records/plan-change.ts';
import { createResumption } from './build-checkpoints.ts';
import type { BuildCounts } from './build-counts.ts';
import { addIncomingRecord, type BatchOptions, createBatches, writeAll } from './write-batches.ts';

export interface DeleteOptions extends Pick<BatchOptions, 'embed' | 'documentsPerBatch'> {
  builder: Omit<IndexBuilder, 'startBuild' | 'finish' | 'close'>;
  /** Counts what is deleted. */
  counts: BuildCounts;
}

/** May be repeated: unknown records do no harm. */
export async function deleteRecords(
  deletions: readonly Deletion[],
  { builder, embed, documentsPerBatch, counts }: DeleteOptions,
): Promise<void> {
  const resumption = await createResumption(builder);
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
}
