/**
 * Finds and reads the settings file. One file at most is read: the one that is named, else the one
 * in the current folder, else the one of the system.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { messageOf, VerbatimError } from '../errors.ts';

/** The name of a settings file in the current folder and in /etc/verbatim. */
export const SETTINGS_FILE_NAME = 'verbatim.conf';
/** The settings file of the system. */
export const SYSTEM_SETTINGS_FILE = join('/etc/verbatim', SETTINGS_FILE_NAME);
/** In place of a path: no file is read. */
const NO_FILE = 'none';
/** A longer file is refused: it is not a settings file. It cannot be a setting, which it would hold. */
const FILE_BYTES_MAX = 1024 * 1024;

const OTHERS_READ_OR_WRITE = 0o006;
const OTHERS_WRITE = 0o002;
const GROUP_WRITES = 0o020;
const GROUP_READS = 0o040;
const ROOT = 0;

export interface SettingsFileBytes {
  path: string;
  bytes: Uint8Array;
  /** Whether users besides the owner can read or change it who are not meant to. */
  isOpenToOthers: boolean;
}

export interface SettingsFileSearch {
  /** The file that was named, or `none`, and by what: an option or a variable. */
  named: { path: string; by: string } | undefined;
  /** Where a file is looked for if none was named. */
  folder: string;
  systemPath: string;
  /** The user who runs this. */
  user: number;
}

/**
 * Returns the file's path and content, or undefined if there is none. Throws `usage` if the file
 * cannot be read, is not a file, is too long, or was found in a folder where somebody else put it.
 */
export function findSettingsFile(search: SettingsFileSearch): SettingsFileBytes | undefined {
  const { named, folder, systemPath, user } = search;
  if (named?.path === NO_FILE) return undefined;
  if (named !== undefined) {
    const found = read(named.path);
    if (found !== undefined) return describe(named.path, found);
    throw new VerbatimError(
      'usage',
      `there is no settings file ${named.path}; ${named.by} names it`,
    );
  }
  const local = join(folder, SETTINGS_FILE_NAME);
  const found = read(local);
  if (found !== undefined) {
    assertOwn(local, found.status, user);
    return describe(local, found);
  }
  const ofSystem = read(systemPath);
  return ofSystem && describe(systemPath, ofSystem);
}

interface Read {
  status: Stats;
  bytes: Uint8Array;
}

/** Returns undefined if there is nothing with this path. */
function read(path: string): Read | undefined {
  let file: number | undefined;
  try {
    // Opening a pipe would otherwise wait for its writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const status = fstatSync(file);
    if (!status.isFile()) throw new VerbatimError('usage', `${path} is not a file`);
    if (status.size > FILE_BYTES_MAX) {
      throw new VerbatimError('usage', `${path} is longer than ${FILE_BYTES_MAX} bytes`);
    }
    return { status, bytes: readFileSync(file) };
  } catch (error) {
    if (error instanceof VerbatimError) throw error;
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    const reason =
      code === 'EACCES'
        ? `this user may not; run this as its owner, or use --config ${NO_FILE}`
        : messageOf(error);
    throw new VerbatimError('usage', `cannot read the settings file ${path}: ${reason}`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function describe(path: string, { status, bytes }: Read): SettingsFileBytes {
  const mode = status.mode;
  const isGroups = (mode & GROUP_READS) !== 0 && status.uid !== ROOT;
  const isOpenToOthers = (mode & (OTHERS_READ_OR_WRITE | GROUP_WRITES)) !== 0 || isGroups;
  return { path, bytes, isOpenToOthers };
}

/** A file that somebody else left in a folder for all, such as /tmp, must not set anything. */
function assertOwn(path: string, { uid, mode }: Stats, user: number): void {
  if ((uid === user || uid === ROOT) && (mode & OTHERS_WRITE) === 0) return;
  throw new VerbatimError(
    'usage',
    `${path} belongs to another user, or every user can change it; ` +
      `if you trust it, use --config ${path}, else --config ${NO_FILE}`,
  );
}
