/** A real PostgreSQL of the tests' own: a cluster in a temporary folder, on a socket in it. */
import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresPrograms, postgresUser } from '../../scripts/cluster/postgres-programs.ts';

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

/** Starts a cluster. Throws if PostgreSQL is not installed. */
export function startCluster(): Cluster {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-postgres-'));
  const data = join(folder, 'data');
  if (postgresUser) chownSync(folder, postgresUser.uid, postgresUser.gid);
  const run = (program: string, ...options: string[]): void => {
    const path = join(postgresPrograms(), program);
    execFileSync(path, options, { ...postgresUser, cwd: folder, stdio: 'ignore' });
  };
  run('initdb', '-D', data, '-U', 'verbatim', '--auth=trust', '--encoding=UTF8', '--no-sync');
  // Only a socket, so that no port can be taken.
  const options = `-c listen_addresses='' -k ${folder}`;
  const start = (): void =>
    run('pg_ctl', 'start', '-w', '-D', data, '-o', options, '-l', join(folder, 'log'));
  const stop = (mode: string): void => run('pg_ctl', 'stop', '-w', '-D', data, '-m', mode);
  start();
  return {
    url: `postgres://verbatim@/postgres?host=${encodeURIComponent(folder)}`,
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
