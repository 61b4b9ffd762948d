/** The first reading of files of which a sample is to be taken. */
import { VerbatimError } from '../errors.ts';
import type { Format, FormatLimits } from './format.ts';
import { judge } from './judge.ts';
import { openInput } from './open-input.ts';
import type { DocumentLimits } from './prepare.ts';
import { type Input, isFile } from './read/input.ts';
import { createLeastMarks, type LeastMarks } from './selection/sample.ts';
import type { SampleSize, Selection } from './selection/selection.ts';
import { createSelector } from './selection/selector.ts';
import { sourceOf } from './source-schemes.ts';

export interface ChooseOptions {
  files: readonly Input[];
  format: Format | undefined;
  limits: FormatLimits & DocumentLimits & { sampleRecordsMax: number };
  /** Called now and then with the records read. */
  progress: (read: number) => void;
  signal: AbortSignal;
}

/**
 * The greatest mark of the sample, for `createSelector`; infinite where there are fewer records.
 * Reads all files. Throws `usage` for a sample that is too large, and for what can be read only
 * once.
 */
export async function findSampleMark(
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
  const marks = createLeastMarks(sample);
  let read = 0;
  const progress = (): void => options.progress(++read);
  for (const file of options.files) {
    if (!options.signal.aborted) await addMarks(marks, file, { ...options, selection, progress });
  }
  return marks.greatest();
}

async function addMarks(
  marks: LeastMarks,
  file: Input,
  {
    format,
    limits,
    progress,
    signal,
    selection,
  }: Omit<ChooseOptions, 'progress'> & { selection: Selection; progress: () => void },
): Promise<void> {
  const selector = createSelector(selection);
  try {
    const opened = await openInput(file, format);
    if (!('source' in opened)) return;
    const source = sourceOf(opened.format);
    for await (const entry of opened.format.entries(opened.source, limits)) {
      if (signal.aborted) return;
      const verdict = judge(entry, { source, limits, selector });
      if ('record' in verdict) marks.add(verdict.record);
      progress();
    }
  } catch (error) {
    // The second reading tells of it.
    if (!(error instanceof VerbatimError && error.code === 'unreadable_input')) throw error;
  }
}
