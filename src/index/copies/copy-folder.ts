/**
 * A folder of copies of an index. A publisher and the nodes that pull from it have the same folder:
 *
 *   latest.json                 names the newest copy; the only file that is ever replaced
 *   versions/NAME/index.db      a copy, which never changes
 *   versions/NAME/manifest.json what it is, with the hashes of its pieces
 *   versions/NAME.partial/      a copy that is being written
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { flush } from '../../database/sqlite/flush.ts';
import { messageOf, VerbatimError } from '../../errors.ts';
import {
  damaged,
  isCopyName,
  MANIFEST_BYTES_MAX,
  type Manifest,
  parseManifest,
} from './manifest.ts';

const PARTIAL = '.partial';
/** Only its owner writes a folder; everybody may read: there is nothing secret in an index. */
const FOLDER_MODE = 0o755;
const FILE_MODE = 0o644;

export interface CopyPaths {
  folder: string;
  database: string;
  manifest: string;
}

function versionsPath(folder: string): string {
  return join(folder, 'versions');
}

export function latestPath(folder: string): string {
  return join(folder, 'latest.json');
}

/** The files of a finished copy. */
export function copyPaths(folder: string, name: string): CopyPaths {
  return pathsIn(join(versionsPath(folder), name));
}

/** The same while it is written. */
export function partialPaths(folder: string, name: string): CopyPaths {
  return pathsIn(join(versionsPath(folder), `${name}${PARTIAL}`));
}

/** Returns the name of the newest copy. Throws `verify_failed` if the folder names none. */
export function readLatest(folder: string): string {
  const path = latestPath(folder);
  let copy: unknown;
  try {
    copy = (JSON.parse(readFileSync(path, 'utf8')) as { copy?: unknown } | null)?.copy;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      throw damaged(`there is no copy of an index in ${folder}: ${path} is missing`);
    }
    throw damaged(`cannot read ${path}: ${messageOf(error)}`);
  }
  if (typeof copy === 'string' && isCopyName(copy)) return copy;
  throw damaged(`${path} does not name a copy of an index`);
}

/** Reads the manifest of a copy. Throws `verify_failed` if it is missing or damaged. */
export function readManifest(folder: string, name: string): { manifest: Manifest; text: string } {
  const { manifest: path } = copyPaths(folder, name);
  const bytes = statSync(path, { throwIfNoEntry: false })?.size;
  if (bytes === undefined) throw damaged(`${path} is missing`);
  if (bytes > MANIFEST_BYTES_MAX) throw damaged(`${path} is not a manifest`);
  const text = readFileSync(path, 'utf8');
  return { manifest: parseManifest(text, name, path), text };
}

/** Creates the folder. */
export function makeFolder(folder: string): void {
  mkdirSync(versionsPath(folder), { recursive: true, mode: FOLDER_MODE });
}

export function makePartial({ folder }: CopyPaths): void {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
}

/**
 * Gives a partial copy its manifest and its name, and makes it the newest. A process that dies on
 * the way leaves the earlier copy in place. A damaged copy of the same name is replaced by files of
 * their own: who has them open reads on from the earlier ones.
 */
export function finishCopy(
  folder: string,
  { partial, name, text }: { partial: CopyPaths; name: string; text: string },
): void {
  writeDurably(partial.manifest, text);
  flush(partial.database);
  flush(partial.folder);
  const finished = copyPaths(folder, name);
  if (existsSync(finished.folder)) {
    renameSync(partial.database, finished.database);
    renameSync(partial.manifest, finished.manifest);
    flush(finished.folder);
    rmSync(partial.folder, { recursive: true });
  } else {
    renameSync(partial.folder, finished.folder);
  }
  flush(versionsPath(folder));
  makeNewest(folder, name);
}

/** Makes a finished copy the newest. */
export function makeNewest(folder: string, name: string): void {
  const latest = latestPath(folder);
  writeDurably(`${latest}${PARTIAL}`, `${JSON.stringify({ copy: name })}\n`);
  renameSync(`${latest}${PARTIAL}`, latest);
  flush(folder);
}

/** Deletes what processes that died have left, except for one partial copy. */
export function removePartials(folder: string, kept?: string): void {
  for (const name of readdirSync(versionsPath(folder))) {
    if (!name.endsWith(PARTIAL) || name === `${kept}${PARTIAL}`) continue;
    rmSync(join(versionsPath(folder), name), { recursive: true });
  }
}

/** The names of the finished copies, ascending. */
export function listCopies(folder: string): string[] {
  return readdirSync(versionsPath(folder)).filter(isCopyName).sort();
}

/**
 * Deletes copies until at most `keep` are left, the oldest first and never the newest. A server that
 * has one open reads on from it.
 */
export function deleteOldCopies(folder: string, keep: number): string[] {
  const latest = readLatest(folder);
  const others = listCopies(folder).filter((name) => name !== latest);
  const old = others.slice(0, Math.max(0, others.length - (keep - 1)));
  for (const name of old) rmSync(copyPaths(folder, name).folder, { recursive: true });
  return old;
}

/** Returns `unwritable_output` if the file system refused something, otherwise the error itself. */
export function namingWriteError(error: unknown, folder: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' || code === 'SQLITE_FULL';
  if (syscall === undefined && !isFull) return error;
  const reason = isFull ? 'the disk is full' : messageOf(error);
  return new VerbatimError('unwritable_output', `cannot write to ${folder}: ${reason}`, {
    cause: error,
  });
}

function pathsIn(folder: string): CopyPaths {
  return { folder, database: join(folder, 'index.db'), manifest: join(folder, 'manifest.json') };
}

function writeDurably(path: string, text: string): void {
  writeFileSync(path, text, { mode: FILE_MODE });
  flush(path);
}
