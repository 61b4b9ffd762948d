/** Reads files a first time to find which records are in a sample. */
import { VerbatimError } from '../errors.ts';
import { filterEntry } from './filter-entry.ts';
import { createEntryNormalizer } from './normalize-entries.ts';
import type { DocumentLimits } from './prepare.ts';
import type { ArchiveLimits } from './read/archive.ts';
import { type Input, isFile } from './read/input.ts';
import type { FormatLimits } from './read/packed-format.ts';
import { type Reading, type ReadOptions, readInput, startReading } from './read-input.ts';
import { createSmallestHashes, type SmallestHashes } from './selection/sample.ts';
import type { SampleSize, Selection } from './selection/selection.ts';
import { createSelector } from './selection/selector.ts';

export interface ChooseOptions extends ReadOptions {
  files: readonly Input[];
  limits: FormatLimits & DocumentLimits & ArchiveLimits & { sampleRecordsMax: number };
  /** Called with the number of records read. */
  progress: (read: number) => void;
  signal: AbortSignal;
}

/**
 * Reads all files and returns the largest hash in the sample, for `createSelector`; Infinity if
 * there are fewer records. Throws `usage` for a sample that is too large, and for input that can be
 * read only once.
 */
export async function findSampleThreshold(
  selection: Selection & { sample: SampleSize },
  options: ChooseOptions,
): Promise<number> {
  const { sample } = selection;
  const most = options.limits.sampleRecordsMax;
  if (sample.records > most) {
    throw new VerbatimError('usage', `--sample takes ${most} records at most`);
  }
  const once = options.files.find((file) => isFile(file) && file.bytes === undefined);
  if (once !== undefined) {
    const message = `--sample reads everything twice, which ${once.path} does not allow`;
    throw new VerbatimError('usage', message);
  }
  const smallest = createSmallestHashes(sample);
  const reading = startReading(options.files, options);
  let read = 0;
  const progress = (): void => options.progress(++read);
  for (const file of options.files) {
    if (!options.signal.aborted)
      await addHashes(smallest, file, { ...options, reading, selection, progress });
  }
  return smallest.threshold();
}

interface HashOptions extends Omit<ChooseOptions, 'progress'> {
  reading: Reading;
  selection: Selection;
  progress: () => void;
}

async function addHashes(marks: SmallestHashes, file: Input, options: HashOptions): Promise<void> {
  const { limits, progress, signal, selection } = options;
  const selector = createSelector(selection);
  await readInput(file, options.reading, {
    async read({ source, format, name }) {
      const { normalize } = createEntryNormalizer(format, name);
      for await (const entry of format.entries(source, limits)) {
        if (signal.aborted) return;
        const filtered = filterEntry(normalize(entry), { limits, selector });
        if ('record' in filtered) marks.add(filtered.record);
        progress();
      }
    },
    // The second reading reports these.
    passedOver() {},
    failed() {},
    shouldStop: () => signal.aborted,
  });
}
