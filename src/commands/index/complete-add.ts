/** `index add --complete`: the files are all of their source, and what they do not have is removed. */
import { VerbatimError } from '../../errors.ts';
import type { KeptRecord } from '../../identity/kept-record.ts';
import type { RecordLists } from '../../index/records/record-lists.ts';
import { listNames } from '../../ingest/list-names.ts';
import type { DocumentLimits } from '../../ingest/prepare.ts';
import type { ArchiveLimits } from '../../ingest/read/archive.ts';
import { isFile } from '../../ingest/read/input.ts';
import type { FormatLimits, SkipReason } from '../../ingest/read/packed-format.ts';
import { startReading } from '../../ingest/read-input.ts';
import { completeList, notComplete, pathsOf } from '../../sources/complete-files.ts';
import {
  assertMinority,
  countUnlisted,
  describeUnlisted,
  type ListPages,
  type Unlisted,
} from '../../sources/remove-unlisted.ts';
import { formatNumber } from '../../text/format-number.ts';
import { describeCounts, printable } from '../cli/output.ts';
import type { ProgressDisplay } from '../cli/progress.ts';
import { askWhether } from '../init/ask-whether.ts';
import type { PreparedInput } from './prepare-input.ts';

/** What is no paper, or has no name, was never in the index. */
const NEVER_INDEXED: readonly SkipReason[] = ['not_a_paper', 'without_id'];

export interface Completion {
  /** What the index has of the source, and the files do not. */
  unlisted: Unlisted;
  pages: ListPages;
  /** Takes note of a record that the build reads: a file may have grown meanwhile. */
  note(record: KeptRecord): void;
}

interface CompletionDeps {
  lists: RecordLists;
  limits: FormatLimits & DocumentLimits & ArchiveLimits;
  display: ProgressDisplay;
  signal: AbortSignal;
}

/**
 * Reads the names of all records. Rejects with `usage` for input that can be read only once, with
 * `unreadable_input` if the files do not show all of their source, and with `interrupted`.
 */
export async function readCompletion(
  paths: readonly string[],
  input: PreparedInput,
  { lists, limits, display, signal }: CompletionDeps,
): Promise<Completion> {
  const files = input.files.filter(isFile);
  if (files.some(({ bytes }) => bytes === undefined)) {
    throw new VerbatimError('usage', '--complete reads files twice, and standard input only once');
  }
  const unreadable = input.files.find((one) => 'unreadable' in one);
  if (unreadable !== undefined && 'unreadable' in unreadable)
    throw notComplete(unreadable.unreadable);
  const progress = (records: number): void =>
    display.status(`reading what the files have: ${formatNumber(records)} records`);
  const reading = startReading(input.files, { ...input, limits });
  const listed = await listNames(input.files, { reading, limits, signal, progress });
  if (signal.aborted) throw new VerbatimError('interrupted', 'interrupted; nothing was written');
  const [damaged] = listed.damaged;
  if (damaged !== undefined) throw notComplete(damaged);
  for (const reason of NEVER_INDEXED) delete listed.unknown[reason];
  if (Object.keys(listed.unknown).length > 0) {
    throw notComplete(`records cannot be read: ${describeCounts(listed.unknown)}`);
  }
  const pages = completeList({ ...listed, isInFiles: pathsOf(paths, input.files) }, lists);
  const unlisted = await countUnlisted(pages);
  return { unlisted, pages, note: listed.names.add };
}

/**
 * Shows what would be removed, and asks. Throws `would_replace` if it is more than half and not accepted,
 * and `interrupted` if the answer is no.
 */
export async function confirmRemoval(
  { unlisted }: Completion,
  how: { isAccepted: boolean; isAgreed: boolean; display: ProgressDisplay },
): Promise<void> {
  const { isAccepted, isAgreed, display } = how;
  if (!isAccepted) assertMinority(unlisted);
  if (unlisted.unlisted === 0) return;
  display.finish();
  display.message(`to remove: ${printable(describeUnlisted(unlisted))}`);
  if (!isAgreed) await askWhether('Remove them?', 'nothing was added or removed');
}
