/** Decides whether a command that read files succeeded. */
import { VerbatimError } from '../../errors.ts';
import type { BuildCounts } from '../../ingest/build-counts.ts';
import { formatNumber } from '../../text/format-number.ts';

export type FileCounts = Pick<BuildCounts, 'filesFailed' | 'filesPassedOver' | 'passedOverBy'>;

/**
 * Throws `unreadable_input` if a file could not be read to the end. With `strict`, also if a file
 * was passed over that the user did not exclude. `filesRead`: the files that were read to the end.
 */
export function assertAllRead(
  { filesFailed, filesPassedOver, passedOverBy }: FileCounts,
  { filesRead, strict }: { filesRead: number; strict: boolean },
): void {
  if (filesFailed > 0) {
    const what = `${formatNumber(filesFailed)} of ${formatNumber(filesRead + filesFailed)} files`;
    throw new VerbatimError('unreadable_input', `${what} could not be read to the end`);
  }
  const passedOver = filesPassedOver - (passedOverBy.excluded ?? 0);
  if (!strict || passedOver === 0) return;
  const message = `${formatNumber(passedOver)} files were passed over, which --strict does not allow`;
  throw new VerbatimError('unreadable_input', message);
}
