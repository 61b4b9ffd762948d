/** A real PostgreSQL of the tests' own: a cluster in a temporary folder, on a socket in it. */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresPrograms, postgresUser } from '../../../scripts/measure/postgres-programs.ts';
import type { SmallDisk } from '../../support/small-disk.ts';

export interface Cluster {
  /** The address of its only database. */
  url: string;
  /** Ends it as a crash would, and starts it again. */
  crash(): void;
  /** Ends it as a crash would, until `resume`. */
  pause(): void;
  resume(): void;
  stop(): void;
}

export interface ClusterOptions {
  /** Settings as `name=value`. */
  settings?: readonly string[] | undefined;
  /** A disk that it must see. */
  disk?: SmallDisk | undefined;
}

/** Keeps a copy of a new cluster's folder for the other files of the suite: making one takes a second. */
function keepFor(data: string, made: string): void {
  const partial = `${data}.copy`;
  execFileSync('cp', ['-a', data, partial]);
  try {
    renameSync(partial, made);
  } catch {
    // Another file was as fast.
    rmSync(partial, { recursive: true });
  }
}

/** Starts a cluster. Throws if PostgreSQL is not installed. */
export function startCluster({ settings = [], disk }: ClusterOptions = {}): Cluster {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-postgres-'));
  const data = join(folder, 'data');
  // Whoever runs the tests is root in the namespace of a disk, and somebody else in a further one.
  const through = disk ? [...disk.through, 'unshare', '--user', '--map-user=1000'] : [];
  const user = disk ? undefined : postgresUser;
  if (user) chownSync(folder, user.uid, user.gid);
  const run = (name: string, ...options: string[]): void => {
    const [program = '', ...args] = [...through, join(postgresPrograms(), name), ...options];
    execFileSync(program, args, { ...user, cwd: folder, stdio: 'ignore' });
  };
  const made = join(tmpdir(), 'postgres-made');
  if (disk === undefined && existsSync(made)) {
    execFileSync('cp', ['-a', made, data], { ...user });
  } else {
    run('initdb', '-D', data, '-U', 'verbatim', '--auth=trust', '--encoding=UTF8', '--no-sync');
    if (disk === undefined) keepFor(data, made);
  }
  // Only a socket, so that no port can be taken.
  const all = ["listen_addresses=''", ...settings].map((setting) => `-c ${setting}`);
  const options = `${all.join(' ')} -k ${folder}`;
  const start = (): void =>
    run('pg_ctl', 'start', '-w', '-D', data, '-o', options, '-l', join(folder, 'log'));
  const stop = (mode: string): void => run('pg_ctl', 'stop', '-w', '-D', data, '-m', mode);
  start();
  // The name of the socket has the port.
  const ports = settings.filter((setting) => setting.startsWith('port='));
  return {
    url: `postgres://verbatim@/postgres?${[`host=${encodeURIComponent(folder)}`, ...ports].join('&')}`,
    crash() {
      stop('immediate');
      start();
    },
    pause: () => stop('immediate'),
    resume: start,
    stop() {
      stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
