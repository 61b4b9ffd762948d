/**
 * All works of OpenAlex by its snapshot: files by the day on which their works last changed. A release
 * replaces the one before in place, and moves what changed to files of later days.
 */
import { LaneFailure } from '../../lanes/lane/lane-errors.ts';
import type { ProviderDeps, Step } from '../ports/provider.ts';
import type { Position, SourceQuery } from '../ports/source.ts';
import {
  fetchDeletions,
  fetchFile,
  fetchRelease,
  type Release,
  type ReleaseFile,
} from './openalex-release.ts';

export const SNAPSHOT_ADDRESS = 'https://openalex.s3.amazonaws.com';
/** Times that the list of files is read in a run. */
const READINGS_MAX = 5;

interface SnapshotPosition extends Position {
  /** The release in work, by its last day. */
  release?: string;
  /** The files of all days up to this one are read. */
  done?: string;
  /** How many of the next day are read. */
  files?: number;
  /** Works that were deleted since this day may still be there. */
  deletedSince?: string;
}

export async function* snapshotSteps(
  { url }: SourceQuery,
  position: SnapshotPosition = {},
  deps: ProviderDeps,
): AsyncGenerator<Step, void> {
  let at = position;
  let failure: LaneFailure | undefined;
  for (let readings = 1; readings <= READINGS_MAX; readings++) {
    const release = await fetchRelease(url, deps);
    // A file that is missing or has changed belongs to another release, or is damaged.
    if (failure !== undefined && release.day === at.release) throw failure;
    failure = undefined;
    at = startOf(release, at);
    const left = filesLeft(release, at);
    try {
      for (const [index, file] of left.entries()) {
        const part = await fetchFile(url, file, deps);
        at = positionAfter(file, left[index + 1], at);
        const progress = { done: index + 1, total: left.length, unit: 'parts' as const };
        yield { part: { ...part, progress }, next: at };
      }
    } catch (error) {
      if (!(error instanceof LaneFailure && error.reason === 'bad_answer')) throw error;
      failure = error;
      continue;
    }
    const { deletedSince = release.day } = at;
    if (deletedSince < release.day) {
      const part = await fetchDeletions(url, deletedSince, deps);
      at = { ...at, deletedSince: release.day };
      yield part === undefined ? { next: at } : { part, next: at };
    } else if (left.length === 0) return;
    // The list is read again, for a release may have replaced this one meanwhile.
  }
  throw failure ?? new LaneFailure('bad_answer', 'the snapshot changes again and again');
}

/** The files of a day may be others in another release, so they are read from the first one on. */
function startOf(release: Release, at: SnapshotPosition): SnapshotPosition {
  if (at.release === release.day) return at;
  // Works that were deleted before the first release are in none of its files.
  const { deletedSince = release.day } = at;
  return { ...at, release: release.day, files: 0, deletedSince };
}

function filesLeft({ files }: Release, { done = '', files: read = 0 }: SnapshotPosition) {
  return files.filter(({ day }) => day > done).slice(read);
}

function positionAfter(
  file: ReleaseFile,
  next: ReleaseFile | undefined,
  at: SnapshotPosition,
): SnapshotPosition {
  if (next?.day === file.day) return { ...at, files: (at.files ?? 0) + 1 };
  return { ...at, done: file.day, files: 0 };
}
