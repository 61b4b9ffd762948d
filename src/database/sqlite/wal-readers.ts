/**
 * Finds the processes that read a database in WAL mode. SQLite locks a byte of the `-shm` file for
 * each snapshot (https://www.sqlite.org/walformat.html, "WAL Locks"), and Linux lists all locks in
 * `/proc/locks`.
 */
import { readFileSync } from 'node:fs';
import { identifyFile } from './file-identity.ts';

/** The bytes of the locks WAL_READ_LOCK(0) to WAL_READ_LOCK(4) in the `-shm` file. */
const READ_LOCKS_START = 123;
const READ_LOCKS_END = 127;

const COMMAND_CHARACTERS_MAX = 120;

export interface WalReader {
  pid: number;
  /** The start of its command line; '' if it cannot be read, in another container for example. */
  command: string;
}

/** The other processes that hold a snapshot now. Empty where the system does not tell. */
export function walReaders(databasePath: string): WalReader[] {
  const file = identifyFile(`${databasePath}-shm`);
  if (file === undefined) return [];
  const pids = readText('/proc/locks')
    .split('\n')
    .filter((line) => isReadLockOn(line, file.inode))
    .map((line) => Number(line.split(/\s+/)[4]))
    .filter((pid) => pid !== process.pid);
  return [...new Set(pids)].map((pid) => ({
    pid,
    command: commandOf(pid),
  }));
}

/** A line is `1: POSIX  ADVISORY  READ 19276 fe:00:9994735 124 124`. */
function isReadLockOn(line: string, inode: bigint): boolean {
  const [, , , , , file = '', start, end] = line.split(/\s+/);
  return (
    file.split(':')[2] === String(inode) &&
    Number(start) <= READ_LOCKS_END &&
    Number(end) >= READ_LOCKS_START
  );
}

function commandOf(pid: number): string {
  const words = readText(`/proc/${pid}/cmdline`).split('\0');
  return words.join(' ').trim().slice(0, COMMAND_CHARACTERS_MAX);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
