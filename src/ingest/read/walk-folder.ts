/**
 * Lists all files in a folder and below it. Links are followed. Each real folder is walked once and
 * each real file is listed once, so loops of links do no harm.
 *
 * The calls are synchronous: nothing else runs yet, and one promise per file would take far longer.
 */
import { type BigIntStats, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Input, PassReason } from './input.ts';
import { isNoteName, NOTE_REASON } from './note-names.ts';
import { systemReason } from './system-reason.ts';

/** Whether the user excludes a path. Folders are checked before they are walked. */
export type IsExcluded = (path: string) => boolean;

/** Files and folders seen so far, by device and inode, with their paths. */
export type Seen = Map<string, string>;

interface Walk {
  /** The folder that was named. */
  top: string;
  isExcluded: IsExcluded;
  seen: Seen;
}

interface Member {
  name: string;
  path: string;
  /** Status of the file, or of the target of a link; undefined if it is missing or unreadable. */
  status: BigIntStats | undefined;
  /** Why there is no status. */
  failure: unknown;
}

/** The contents of the folder, in the order of the paths. */
export function walkFolder(
  top: string,
  { isExcluded, seen }: { isExcluded: IsExcluded; seen: Seen },
): Input[] {
  const path = seenBefore(seen, top, statSync(top, { bigint: true }));
  if (path !== undefined)
    return [passOver(top, 'read_already', `it is the same folder as ${path}`)];
  const inputs: Input[] = [];
  walk({ top, isExcluded, seen }, top, inputs);
  return inputs.length > 0 ? inputs : [passOver(top, 'empty', 'there is nothing in it')];
}

function walk(state: Walk, folder: string, inputs: Input[]): void {
  for (const member of membersOf(folder, inputs)) {
    const notRead = inputNotRead(state, member);
    if (notRead !== undefined) inputs.push(notRead);
    else if (member.status?.isDirectory()) walk(state, member.path, inputs);
    else inputs.push({ path: member.path, bytes: Number(member.status?.size), isNamed: false });
  }
}

/** Sorted by path. A folder is sorted with a slash after its name. */
function membersOf(folder: string, inputs: Input[]): Member[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    inputs.push({ path: folder, unreadable: `cannot read ${folder}: ${systemReason(error)}` });
    return [];
  }
  const sorted = names.map((name) => {
    const member = memberOf(join(folder, name), name);
    return { member, order: member.status?.isDirectory() ? `${name}/` : name };
  });
  sorted.sort((a, b) => (a.order < b.order ? -1 : 1));
  return sorted.map(({ member }) => member);
}

function memberOf(path: string, name: string): Member {
  try {
    return { name, path, status: statSync(path, { bigint: true }), failure: undefined };
  } catch (failure) {
    return { name, path, status: undefined, failure };
  }
}

/** The input that says why a member is not read; undefined for one that is. */
function inputNotRead(state: Walk, { name, path, status, failure }: Member): Input | undefined {
  if (state.isExcluded(relative(state.top, path)))
    return passOver(path, 'excluded', 'it is excluded');
  if (name.startsWith('.')) return passOver(path, 'hidden', 'it is hidden');
  if (status === undefined) return inputWithoutStatus(path, failure);
  if (status.isDirectory()) return folderNotRead(state, path, status);
  if (!status.isFile()) return passOver(path, 'not_a_file', 'it is a pipe, a socket or a device');
  if (isNoteName(name)) return passOver(path, 'note', NOTE_REASON);
  const other = seenBefore(state.seen, path, status);
  return other === undefined
    ? undefined
    : passOver(path, 'read_already', `it is the same file as ${other}`);
}

function folderNotRead({ seen }: Walk, path: string, status: BigIntStats): Input | undefined {
  if (isLink(path) && isWithin(realpathSync(join(path, '..')), realpathSync(path))) {
    return passOver(path, 'loop', 'it is a link to a folder that contains it');
  }
  const other = seenBefore(seen, path, status);
  return other === undefined
    ? undefined
    : passOver(path, 'read_already', `it is the same folder as ${other}`);
}

function inputWithoutStatus(path: string, failure: unknown): Input {
  const { code } = failure as NodeJS.ErrnoException;
  if (code === 'ELOOP') return passOver(path, 'dangling_link', 'it is a link to itself');
  if (code === 'ENOENT' && isLink(path)) {
    return passOver(path, 'dangling_link', 'it is a link to a missing file');
  }
  // A name that is not UTF-8 is changed by decoding, so the file cannot be opened by it.
  const isOtherEncoding = code === 'ENOENT' && path.includes('\u{fffd}');
  const reason = isOtherEncoding ? 'its name is not UTF-8; rename it' : systemReason(failure);
  return { path, unreadable: `cannot read ${path}: ${reason}` };
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function isWithin(folder: string, outer: string): boolean {
  const path = relative(outer, folder);
  return path !== '..' && !path.startsWith('../');
}

/** The path under which a file was seen before, if any. Remembers it otherwise. */
function seenBefore(seen: Seen, path: string, { dev, ino }: BigIntStats): string | undefined {
  const key = `${dev}:${ino}`;
  const other = seen.get(key);
  if (other === undefined) seen.set(key, path);
  return other;
}

function passOver(path: string, passedOver: PassReason, why: string): Input {
  return { path, passedOver, why };
}
