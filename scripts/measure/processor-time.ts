/** The processor time of processes. Unlike durations, it hardly depends on other load. */
import { readFileSync } from 'node:fs';
import { sumOf } from './statistics.ts';

/** Linux reports times in ticks of a hundredth of a second. */
const TICK_MS = 10;
/** Fields of /proc/PID/stat after the command's name: see proc_pid_stat(5). */
const OWN = [11, 12];
const OF_ENDED_CHILDREN = [13, 14];

/** Returns the processor time of a process, its children, and the children that have ended, in milliseconds. */
export function familyMs([parent = 0, ...children]: readonly number[]): number {
  const ofChildren = children.map((child) => {
    try {
      return readMs(child, OWN);
    } catch {
      // It has ended since the children were listed, so its parent has waited for it.
      return 0;
    }
  });
  return readMs(parent, [...OWN, ...OF_ENDED_CHILDREN]) + sumOf(ofChildren);
}

function readMs(pid: number, numbers: readonly number[]): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return sumOf(numbers.map((number) => Number(fields[number]))) * TICK_MS;
}
