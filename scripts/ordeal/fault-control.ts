/** Compiles faults.c and sets the faults of a server that runs with it. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundlePath } from '../../src/bundle.ts';

export interface Faults {
  /** The error number of all writes to the database; 0: none. */
  writeErrno: number;
  /** The same for reads. */
  readErrno: number;
  /** How far the clock of the day is ahead; negative: behind. */
  clockOffsetSeconds: number;
}

export interface FaultControl {
  /** The environment of a server with faults. */
  env: Record<string, string>;
  /** Sets these faults at once; what is not given is as without faults. */
  set(faults: Partial<Faults>): void;
}

const FIELD_BYTES = 8;

/** Returns undefined where there is no C compiler. Its files are in `folder`. */
export function createFaultControl(folder: string): FaultControl | undefined {
  const source = join(dirname(bundlePath()), '../scripts/ordeal/faults.c');
  const library = join(folder, 'faults.so');
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], {
      stdio: 'pipe',
    });
  } catch {
    return undefined;
  }
  const path = join(folder, 'faults');
  const set = ({
    writeErrno = 0,
    readErrno = 0,
    clockOffsetSeconds = 0,
  }: Partial<Faults>): void => {
    const fields = [writeErrno, readErrno, clockOffsetSeconds];
    const bytes = Buffer.alloc(fields.length * FIELD_BYTES);
    for (const [index, value] of fields.entries()) {
      bytes.writeBigInt64LE(BigInt(value), index * FIELD_BYTES);
    }
    const file = openSync(path, 'a+');
    closeSync(file);
    const shared = openSync(path, 'r+');
    writeSync(shared, bytes, 0, bytes.length, 0);
    closeSync(shared);
  };
  set({});
  return { env: { LD_PRELOAD: library, ORDEAL_FAULTS: path }, set };
}
