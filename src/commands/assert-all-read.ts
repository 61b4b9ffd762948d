/** Whether all that was asked for was read: decides on the exit code of a build. */
import { VerbatimError } from '../errors.ts';
import type { BuildCounts } from '../ingest/build-counts.ts';
import { formatNumber } from './output.ts';

export type FileCounts = Pick<BuildCounts, 'filesFailed' | 'filesPassedOver' | 'passedOverBy'>;

/**
 * Throws `unreadable_input` where a file could not be read to its end. With `strict` also where
 * one was passed over, unless the user excluded it. `files`: how many there were to read.
 */
export function assertAllRead(
  { filesFailed, filesPassedOver, passedOverBy }: FileCounts,
  { files, strict }: { files: number; strict: boolean },
): void {
  if (filesFailed > 0) {
    const what = `${formatNumber(filesFailed)} of ${formatNumber(files)} files`;
    throw new VerbatimError('unreadable_input', `${what} could not be read to the end`);
  }
  const passedOver = filesPassedOver - (passedOverBy.excluded ?? 0);
  if (!strict || passedOver === 0) return;
  const message = `files that were passed over, which --strict forbids: ${formatNumber(passedOver)}`;
  throw new VerbatimError('unreadable_input', message);
}
