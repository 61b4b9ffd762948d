/** Compiles faults.c and sets the faults of a server that runs with it. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { sourcePath } from '../measure/sample.ts';

/** The error numbers of all writes to the database and of reads, 0 for none; how far the clock is ahead. */
type Faults = Record<'writeErrno' | 'readErrno' | 'clockOffsetSeconds', number>;

export interface FaultControl {
  /** The environment of a server with faults. */
  env: Record<string, string>;
  /** Sets these faults at once; what is not given is as without faults. */
  set(faults: Partial<Faults>): void;
}

/** Returns undefined where there is no C compiler. Its files are in `folder`. */
export function createFaultControl(folder: string): FaultControl | undefined {
  const source = sourcePath('scripts/ordeal/faults.c');
  const library = join(folder, 'faults.so');
  const args = ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'];
  try {
    execFileSync('cc', args, { stdio: 'pipe' });
  } catch {
    return undefined;
  }
  const path = join(folder, 'faults');
  const set = (faults: Partial<Faults>): void => {
    const { writeErrno = 0, readErrno = 0, clockOffsetSeconds = 0 } = faults;
    // Numbers of 8 bytes, as faults.c reads them.
    const fields = [writeErrno, readErrno, clockOffsetSeconds];
    const bytes = Buffer.from(BigInt64Array.from(fields, BigInt).buffer);
    closeSync(openSync(path, 'a+'));
    const shared = openSync(path, 'r+');
    writeSync(shared, bytes, 0, bytes.length, 0);
    closeSync(shared);
  };
  set({});
  return { env: { LD_PRELOAD: library, ORDEAL_FAULTS: path }, set };
}
