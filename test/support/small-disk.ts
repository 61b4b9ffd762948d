/**
 * A disk of a few megabytes, which a test can fill up: a tmpfs in a user and mount namespace, so
 * that nobody has to be root. It is seen in the namespace only, and through /proc from outside.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  /** Its folder, for programs that run in the namespace. */
  folder: string;
  /** The same folder as the test sees it, for files that are no open database. */
  seenAs: string;
  /** What a command is to be started through to run in the namespace. */
  through: readonly string[];
  /** Takes all the room that is left, but for so many bytes. */
  fill(leaving?: number): void;
  /** Gives it back. */
  empty(): void;
  end(): void;
}

const NAMESPACE = ['--user', '--map-root-user', '--mount'];
const FILLER = 'filler';

/** Why there can be no small disk on this machine; undefined where there can. */
export function obstacleToSmallDisk(): string | undefined {
  try {
    execFileSync('unshare', [...NAMESPACE, 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()], {
      stdio: 'pipe',
    });
    execFileSync('nsenter', ['--version'], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `no tmpfs in a user namespace: ${String(error).split('\n')[0]}`;
  }
}

export async function createSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-disk-'));
  const mount = `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && echo ready && exec cat`;
  // It keeps the namespace until its standard input ends, with this process at the latest.
  const keeper = spawn('unshare', [...NAMESPACE, 'sh', '-c', mount, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    keeper.stdout.once('data', () => resolve());
    keeper.once('exit', (code) => reject(new Error(`unshare ended with ${code}`)));
  });
  const seenAs = `/proc/${keeper.pid}/root${folder}`;
  const through = ['nsenter', '--preserve-credentials', '--user', '--mount', '--target'];
  return {
    folder,
    seenAs,
    through: [...through, String(keeper.pid)],
    fill(leaving = 0) {
      const filler = join(seenAs, FILLER);
      fillUp(filler);
      truncateSync(filler, statSync(filler).size - leaving);
    },
    empty: () => rmSync(join(seenAs, FILLER), { force: true }),
    end() {
      keeper.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function fillUp(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (let bytes = 1024 * 1024; bytes >= 1; ) {
      try {
        writeSync(file, Buffer.alloc(bytes));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        bytes = Math.floor(bytes / 2);
      }
    }
  } finally {
    closeSync(file);
  }
}
