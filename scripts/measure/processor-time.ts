/** The processor time of a server and its main thread. Unlike durations, it hardly depends on other load. */
import { readFileSync } from 'node:fs';

/** Linux reports times in ticks of a hundredth of a second. */
const TICK_MS = 10;
/** Fields of /proc/PID/stat after the command's name: see proc_pid_stat(5). */
const USER_FIELD = 11;
const SYSTEM_FIELD = 12;
const ENDED_USER_FIELD = 13;
const ENDED_SYSTEM_FIELD = 14;

export interface ProcessorMs {
  mainThread: number;
  /** All threads, the main thread included. */
  all: number;
}

/** Returns the processor time of a process so far, in milliseconds. */
export function processorMs(pid: number): ProcessorMs {
  return { mainThread: readMs(`/proc/${pid}/task/${pid}/stat`), all: readMs(`/proc/${pid}/stat`) };
}

/** Returns the processor time of the children of a process that have ended, in milliseconds. */
function waitedForMs(pid: number): number {
  return readMs(`/proc/${pid}/stat`, [ENDED_USER_FIELD, ENDED_SYSTEM_FIELD]);
}

/** Returns the processor time of a process, its children, and the children that have ended. */
export function familyMs([parent = 0, ...children]: readonly number[]): number {
  const ofChildren = children.reduce((sum, id) => sum + ofChild(id), 0);
  return processorMs(parent).all + ofChildren + waitedForMs(parent);
}

function ofChild(pid: number): number {
  try {
    return processorMs(pid).all;
  } catch {
    // It has ended since the children were listed, so its parent has waited for it.
    return 0;
  }
}

function readMs(path: string, [user, system] = [USER_FIELD, SYSTEM_FIELD]): number {
  const stat = readFileSync(path, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[user]) + Number(fields[system])) * TICK_MS;
}
