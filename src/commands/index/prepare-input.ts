/** Prepares the input of `index add`: files, format, and selection. */

import { VerbatimError } from '../../errors.ts';
import { findSampleThreshold } from '../../ingest/choose-sample.ts';
import { formatNamed } from '../../ingest/formats.ts';
import { assertWithin } from '../../ingest/read/assert-within.ts';
import { encodingNamed } from '../../ingest/read/encoding.ts';
import { excluding } from '../../ingest/read/exclude.ts';
import type { Input } from '../../ingest/read/input.ts';
import { listFiles } from '../../ingest/read/list-files.ts';
import type { Format } from '../../ingest/read/packed-format.ts';
import { type Selection, wholeSelection } from '../../ingest/selection/selection.ts';
import { createSelector, type Selector } from '../../ingest/selection/selector.ts';
import type { Settings } from '../../settings/config.ts';
import { formatNumber } from '../../text/format-number.ts';
import type { ProgressDisplay } from '../cli/progress.ts';

export interface InputOptions {
  /** Name of the format of all files; absent: recognized per file. */
  format?: string | undefined;
  /** Name of the encoding of all files; absent: detected per file. */
  encoding?: string | undefined;
  /** Patterns of excluded files and folders. */
  exclude?: readonly string[] | undefined;
  /** Name of tables and bibliographies; absent: the name of each file. */
  sourceName?: string | undefined;
  /** The folder that no file may be outside of; absent: files may be anywhere. */
  within?: string | undefined;
  /** Which records to index; absent: all. */
  selection?: Selection | undefined;
}

export interface PreparedInput {
  files: Input[];
  sourceName: string | undefined;
  format: Format | undefined;
  encoding: string | undefined;
  selector: Selector;
}

/**
 * Lists the files. For a sample it also reads them a first time. Throws `usage` and
 * `unreadable_input` as `listFiles` and `findSampleMark` do, and `interrupted` after Ctrl-C.
 */
export async function prepareInput(
  paths: readonly string[],
  options: InputOptions,
  deps: { settings: Settings; display: ProgressDisplay; signal: AbortSignal },
): Promise<PreparedInput> {
  const { exclude = [], selection = wholeSelection } = options;
  const format = options.format === undefined ? undefined : formatNamed(options.format);
  const encoding = options.encoding === undefined ? undefined : encodingNamed(options.encoding);
  const files = await listFiles(paths, excluding(exclude));
  if (options.within !== undefined) assertWithin(options.within, files);
  const own = { files, format, encoding, sourceName: options.sourceName };
  const { sample } = selection;
  if (sample === undefined) return { ...own, selector: createSelector(selection) };
  const { settings: limits, display, signal } = deps;
  const show = (read: number): void => {
    display.status(`choosing the sample: ${formatNumber(read)} records read`);
  };
  const reading = { ...own, limits, signal, progress: show };
  const mark = await findSampleThreshold({ ...selection, sample }, reading);
  if (signal.aborted) throw new VerbatimError('interrupted', 'interrupted; nothing was written');
  const { records, seed } = sample;
  display.message(`sampling ${formatNumber(records)} records with seed ${seed}`);
  return { ...own, selector: createSelector(selection, mark) };
}
