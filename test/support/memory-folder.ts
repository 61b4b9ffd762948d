/** A folder in memory for the files of tests. */
import { mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

const MEMORY = '/dev/shm';
/** All suites together leave most of it free. */
const BYTES_MIN = 8 * 1024 ** 3;

/**
 * Makes a folder in memory where the machine has room for one: tests commit thousands of times, and on
 * a disk each commit waits for it. Returns undefined elsewhere.
 */
export function makeMemoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mount = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(readFileSync('/proc/mounts', 'utf8'));
    // Tests start programs from there.
    if (mount?.[1] === undefined || mount[1].split(',').includes('noexec')) return undefined;
    if (Math.min(bavail * bsize, freemem()) < BYTES_MIN) return undefined;
    return mkdtempSync(`${MEMORY}/verbatim-tests-`);
  } catch {
    return undefined;
  }
}
